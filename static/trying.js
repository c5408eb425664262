/* Updates the list of a test player's steps whenever their frame shows another page, and opens
   links that leave this server in a tab of their own, because other sites refuse frames. */
const openOutside = (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || !link.protocol.startsWith("http") || link.origin === location.origin) return;
  link.target = "_blank";
  link.relList.add("noopener");
};
document.addEventListener(
  "load",
  (event) => {
    if (event.target.tagName !== "IFRAME") return;
    event.target.contentDocument?.addEventListener("click", openOutside, true);
    event.target.dispatchEvent(new Event("moved"));
  },
  true, // a frame's load does not bubble
);
