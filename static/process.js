/* Process data, as the consent page names it: small batches that may fail without harm. */
(() => {
  "use strict";

  const url = document.body.dataset.process;
  if (!url) return;

  const MOST_WAITING = 150; // the server takes 200 in one batch
  const SEND_EVERY_MS = 20000;
  const RESIZE_SETTLES_MS = 1000;

  const now = () => Math.round(performance.now());
  const size = () => `${innerWidth}x${innerHeight}`;
  const on = (target, type, listener) =>
    target.addEventListener(type, listener, { capture: true, passive: true });

  let waiting = [];
  let keys = 0;
  let hiddenAt = document.hidden ? now() : null;
  let askedAt = 0;
  let resizing;

  const note = (kind, value = 0, detail = "") => {
    if (waiting.length >= MOST_WAITING) return;
    const whole = Math.max(0, Math.round(value));
    waiting.push([kind, whole, String(detail).slice(0, 64), Date.now()]);
  };
  const noteKeys = () => {
    if (keys) note("keys", keys);
    keys = 0;
  };
  const noteVisible = () => {
    if (hiddenAt !== null) note("hidden", now() - hiddenAt);
    hiddenAt = null;
  };
  const notePaste = ({ target, clipboardData }) => {
    const text = clipboardData ? clipboardData.getData("text") : "";
    note("paste", text.length, target.name || "");
  };
  const noteLatency = () => {
    if (askedAt) note("latency", now() - askedAt);
    askedAt = 0;
  };
  const send = () => {
    noteKeys();
    if (!waiting.length) return;
    const body = new URLSearchParams({ events: JSON.stringify(waiting) });
    waiting = [];
    fetch(url, { method: "POST", body, keepalive: true }).catch(() => {});
  };

  note("open", now(), size());
  if (navigator.webdriver) note("client", 1, "webdriver");
  on(document, "visibilitychange", () => {
    if (!document.hidden) return noteVisible();
    hiddenAt = now();
    send();
  });
  on(window, "blur", ({ target }) => {
    if (target === window) note("blur");
  });
  on(window, "focus", ({ target }) => {
    if (target === window) note("focus");
  });
  on(document, "paste", notePaste);
  on(document, "keydown", ({ target }) => {
    if (target.name) keys++;
  });
  on(window, "resize", () => {
    clearTimeout(resizing);
    resizing = setTimeout(() => note("resize", innerWidth, size()), RESIZE_SETTLES_MS);
  });
  on(document, "htmx:beforeRequest", () => {
    askedAt = now();
  });
  on(document, "htmx:afterRequest", noteLatency);
  on(window, "pagehide", send);
  setInterval(send, SEND_EVERY_MS);
})();
