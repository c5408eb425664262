/* Rating by keys, and how long a page was in use. Everything works without this script. */
(() => {
"use strict";
const $ = (s, r = document) => r.querySelector(s), $$ = (s, r = document) => [...r.querySelectorAll(s)];
const doc = document, form = () => $("#rate-form"), IDLE_MS = 6e4;
let store = {};
try { store = localStorage; } catch { /* storage is off */ }

/* what was saved is said aloud once the page is there */
const saved = $("#saved"), said = $("#said");
if (saved && said) setTimeout(() => { said.textContent = saved.textContent; }, 400);

/* active time: in view, and something done within the last minute */
let active = 0, since = performance.now(), last = since;
const count = () => {
	const now = performance.now();
	if (!doc.hidden) active += Math.max(0, Math.min(now, last + IDLE_MS) - since);
	since = now;
};
for (const type of ["keydown", "pointerdown", "pointermove", "scroll", "focusin"]) doc.addEventListener(type, () => { count(); last = since; }, { passive: true, capture: true });
doc.addEventListener("visibilitychange", () => { if (doc.hidden) { const now = performance.now(); active += Math.max(0, Math.min(now, last + IDLE_MS) - since); since = now; } else since = last = performance.now(); });
doc.addEventListener("submit", e => { if (e.target === form()) { count(); e.target.active_ms.value = Math.round(active); } }, true);

/* keys, off while a text is written and wherever somebody switched them off (a setting of this browser) */
const on = () => store.hjstudyKeys !== "off";
const show = () => { const box = $("#keys-on"); if (box) box.checked = on(); };
doc.addEventListener("change", e => { if (e.target.id === "keys-on") store.hjstudyKeys = e.target.checked ? "on" : "off"; });
const scales = () => $$(".scale", form());
const mark = at => { scales().forEach((s, i) => s.classList.toggle("current", i === at)); };
let at = 0;
const choose = digit => {
	const all = scales(), scale = all[Math.min(at, all.length - 1)], box = scale && $(`input[value="${digit}"]`, scale);
	if (!box) return;
	box.checked = true;
	const skip = $("#skip");
	if (skip.type === "checkbox") skip.checked = false;
	if (all.length > 1) { at = Math.min(at + 1, all.length - 1); mark(at); const next = all[at]; next.scrollIntoView({ block: "nearest" }); }
	box.focus({ preventScroll: true });
	box.dispatchEvent(new Event("input", { bubbles: true }));
};
const go = id => { const a = $(id); if (a) a.click(); };
const tap = box => { box.checked = !box.checked || box.type === "radio"; box.dispatchEvent(new Event("input", { bubbles: true })); };
doc.addEventListener("keydown", e => {
	const f = form(), t = e.target;
	if (e.key === "Escape" && t.id === "comment") return t.blur();
	if (on() && e.key === "Enter" && t.id === "skip-reason" && t.value) { e.preventDefault(); return f.requestSubmit($("#save")); }
	if (!on() || e.ctrlKey || e.altKey || e.metaKey || t.matches("textarea, select, input:not([type=radio], [type=checkbox])")) return;
	if (e.key === "Enter") {
		if (t.closest("a, button, summary")) return;
		e.preventDefault();
		if (e.repeat) return;
		return f ? f.requestSubmit($("#save")) : go("#go-on");
	}
	if (e.key === "n") return go("#next");
	if (e.key === "p") return go("#previous");
	if (!f) return;
	if ("012".includes(e.key)) { e.preventDefault(); choose(e.key); }
	else if (e.key === "s") { e.preventDefault(); tap($("#skip")); $("#skip-reason").focus(); }
	else if (e.key === "f") { e.preventDefault(); tap($("#flag")); }
	else if (e.key === "c") { e.preventDefault(); $("#comment").focus(); }
	else if (e.key === "Backspace" && scales().length > 1) { e.preventDefault(); at = Math.max(0, at - 1); mark(at); }
});
const ready = () => { show(); at = 0; if (form() && scales().length > 1) mark(0); };
doc.addEventListener("htmx:afterSwap", ready);
doc.addEventListener("htmx:responseError", e => {
	if (e.detail.xhr.status === 401) setTimeout(() => { $("#net").textContent = "You are logged out. Log in again in another tab, then save again here: what you typed is kept."; });
});
ready();
})();
