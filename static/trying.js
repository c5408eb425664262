/* Updates the list of a test player's steps whenever their frame shows another page. */
document.addEventListener(
  "load",
  (event) => {
    if (event.target.tagName === "IFRAME") event.target.dispatchEvent(new Event("moved"));
  },
  true, // a frame's load does not bubble
);
