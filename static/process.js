/* Process data, as the consent page names it: small batches that may fail without harm. */
(() => {
"use strict";
const url = document.body.dataset.process;
if (!url) return;
const now = () => Math.round(performance.now());
const on = (target, type, use) => target.addEventListener(type, use, { capture: true, passive: true });
let waiting = [], keys = 0, hiddenAt = document.hidden ? now() : null, askedAt = 0;
const note = (kind, value = 0, detail = "") => {
	if (waiting.length < 150) waiting.push([kind, Math.max(0, Math.round(value)), String(detail).slice(0, 64), Date.now()]);
};
const send = () => {
	if (keys) { note("keys", keys); keys = 0; }
	if (!waiting.length) return;
	const body = new URLSearchParams({ events: JSON.stringify(waiting) });
	waiting = [];
	fetch(url, { method: "POST", body, keepalive: true }).catch(() => {});
};
note("open", now(), `${innerWidth}x${innerHeight}`);
on(document, "visibilitychange", () => {
	if (document.hidden) { hiddenAt = now(); send(); }
	else if (hiddenAt !== null) { note("hidden", now() - hiddenAt); hiddenAt = null; }
});
on(window, "blur", e => { if (e.target === window) note("blur"); });
on(window, "focus", e => { if (e.target === window) note("focus"); });
on(document, "paste", e => note("paste", (e.clipboardData ? e.clipboardData.getData("text") : "").length, e.target.name || ""));
on(document, "keydown", e => { if (e.target.name) keys++; });
on(window, "resize", () => { clearTimeout(on.size); on.size = setTimeout(() => note("resize", innerWidth, `${innerWidth}x${innerHeight}`), 1000); });
on(document, "htmx:beforeRequest", () => { askedAt = now(); });
on(document, "htmx:afterRequest", () => { if (askedAt) note("latency", now() - askedAt); askedAt = 0; });
on(window, "pagehide", send);
setInterval(send, 20000);
})();
