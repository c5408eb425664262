/* Updates the list of a test player's steps whenever their frame shows another page, but keeps a step
   that was chosen there until the jump. Opens links that leave this server in a tab of their own,
   because other sites refuse frames. */
let chosen = {}; // a player's key -> the step chosen for them; a jump of another reloads the page
try {
  chosen = sessionStorage;
} catch {
  /* storage is off: choices last until the page is left */
}
const LISTS = "select[data-player]";
const keyOf = (list) => `hjstep${list.dataset.player}`;
const isPresent = (option) => option.defaultSelected; // the step that the player is at
const keep = (list) => {
  try {
    chosen[keyOf(list)] = list.value;
  } catch {
    /* storage is full */
  }
  if (isPresent(list.selectedOptions[0])) delete chosen[keyOf(list)]; // taken back
};
const choose = (list) => {
  const step = chosen[keyOf(list)];
  if (!step) return;
  const options = [...list.options]; // consent makes guardians of a world
  const found =
    options.find(({ value }) => value === step) ||
    options.find(({ value }) => value.startsWith(`${step}/`));
  if (found) found.selected = true;
  if (!found || isPresent(found)) delete chosen[keyOf(list)]; // there is nothing left to jump to
};
const chooseAll = () => document.querySelectorAll(LISTS).forEach(choose);
document.addEventListener("change", (event) => {
  if (event.target.matches(LISTS)) keep(event.target);
});
document.addEventListener("submit", (event) => {
  const list = event.target.querySelector(LISTS);
  if (list) delete chosen[keyOf(list)];
});
document.addEventListener("htmx:afterSwap", chooseAll);
chooseAll();

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
