/* One small script. Everything works without it; with it: tabs, sort, fold, pin, tap, recall, autosave, states. */
(() => {
"use strict";
const $ = (s, r = document) => r.querySelector(s), $$ = (s, r = document) => [...r.querySelectorAll(s)];
const on = (t, type, f, o) => t.addEventListener(type, f, o);
const el = (tag, props, ...kids) => { const e = Object.assign(document.createElement(tag), props); e.append(...kids); return e; };
const store = { get(k) { try { return JSON.parse(sessionStorage.getItem(k)); } catch { return null; } },
  set(k, v) { try { v === null ? sessionStorage.removeItem(k) : sessionStorage.setItem(k, JSON.stringify(v)); } catch { /* private mode */ } } };
const root = document.documentElement, here = "hj" + location.pathname;
root.classList.add("js");

/* the line to the server: one bar, one voice */
const net = $("#net"), say = text => { if (net.textContent !== text) net.textContent = text; };
const kept = () => $("#command:not([hidden])") ? "What you typed is kept: press Enter to try again." : "What you typed is kept here.";
on(window, "offline", () => say("Not connected. " + kept()));
on(window, "online", () => say(""));
if (!navigator.onLine) say("Not connected. " + kept());

/* how the time went: hidden page, keys, pasted text (named in the consent text) */
const spent = { hidden: 0, keys: 0, pasted: 0 };
let hiddenAt = 0, shownAt = performance.now();
on(document, "visibilitychange", () => { if (document.hidden) hiddenAt = performance.now(); else if (hiddenAt) { spent.hidden += performance.now() - hiddenAt; hiddenAt = 0; } });
on(document, "keydown", e => { if (e.target.tagName === "TEXTAREA") spent.keys++; });
on(document, "paste", e => { if (e.target.tagName === "TEXTAREA") spent.pasted += (e.clipboardData || { getData: () => "" }).getData("text").length; });
const fill = form => $$("[data-fill]", form).forEach(i => { i.value = { viewport: innerWidth + "x" + innerHeight, keys: spent.keys, pasted: spent.pasted, hidden_ms: Math.round(spent.hidden), write_ms: Math.round(performance.now()) }[i.dataset.fill]; });

/* sending: a button says so, and a form is sent once */
const busy = (form, yes, by) => { const b = by || $("button:not([type=button])", form); form.dataset.busy = yes ? 1 : "";
  $$("[data-was]", form).forEach(x => { x.textContent = x.dataset.was; x.removeAttribute("data-was"); x.removeAttribute("aria-disabled"); });
  if (yes && b) { b.dataset.was = b.textContent; b.textContent = "Sending…"; b.setAttribute("aria-disabled", "true"); } };
on(window, "pageshow", e => { if (e.persisted) $$("form").forEach(f => busy(f, false)); });
on(document, "submit", e => {
  const form = e.target, by = e.submitter;
  if (form.dataset.busy) return void (e.preventDefault(), e.stopPropagation());
  if (by && "save" in by.dataset) { e.preventDefault(); e.stopPropagation(); form.save && form.save(); return; }
  fill(form);
  if (form.id === "command" && !beforeCommand(e)) return;
  if (!navigator.onLine) { e.preventDefault(); e.stopPropagation(); return say("Not connected. " + kept()); }
  if (!form.hasAttribute("hx-post") || !window.htmx) setTimeout(() => { if (!e.defaultPrevented) busy(form, true, by); });
}, true);

/* the command line */
const command = $("#command"), raw = $("#raw"), log = $("#log"), cmdKey = here + "#raw";
let taps = 0, back = 0, draft = "", lastTap = "";
const seq = () => $("#seq").value;
function beforeCommand(e) {
  if (!raw.value.trim()) { e.preventDefault(); e.stopPropagation(); raw.focus(); return false; }
  command.client_ms.value = Date.now(); command.think_ms.value = Math.round(performance.now() - shownAt); command.taps.value = taps;
  store.set(cmdKey, { seq: seq(), text: raw.value });
  raw.readOnly = true; setTimeout(() => { if (!window.htmx && e.defaultPrevented) raw.readOnly = false; });
  return true;
}
function ended() { const s = $("#state"); if (command && s && s.dataset.done === "true") { command.hidden = true; const h = $("#after-h"); h && h.focus(); } }
if (command) {
  const typed = store.get(cmdKey);
  if (typed && typed.seq === seq() && !raw.value) raw.value = typed.text;
  on(raw, "input", () => { back = 0; store.set(cmdKey, { seq: seq(), text: raw.value }); });
  on(raw, "keydown", e => {
    if (e.key !== "ArrowUp" && e.key !== "ArrowDown" || raw.readOnly) return;
    const old = $$("#log-lines .you").map(p => p.lastChild.textContent);
    if (!old.length) return;
    e.preventDefault();
    if (!back) draft = raw.value;
    back = Math.min(old.length, Math.max(0, back + (e.key === "ArrowUp" ? 1 : -1)));
    raw.value = back ? old[old.length - back] : draft;
    raw.setSelectionRange(raw.value.length, raw.value.length);
  });
}
const mine = e => command && e.detail.elt === command;
on(document, "htmx:beforeRequest", e => { const f = e.detail.elt; if (f.tagName === "FORM") busy(f, true, mine(e) ? $("#send") : null); });
on(document, "htmx:beforeSwap", e => { /* a 2xx that does not echo the number is not our server's word */
  if (mine(e) && e.detail.xhr.status < 300 && !e.detail.xhr.getResponseHeader("X-Seq")) e.detail.shouldSwap = false;
  if (mine(e) && e.detail.shouldSwap && e.detail.xhr.status < 300) $$(`#log-lines [data-line="${+e.detail.xhr.getResponseHeader("X-Seq")}"]`).forEach(p => p.remove());
});
on(document, "htmx:afterRequest", e => {
  const f = e.detail.elt, x = e.detail.xhr, s = x ? x.status : 0, ok = s >= 200 && s < 300;
  if (f.tagName !== "FORM") return;
  busy(f, false);
  if (!mine(e)) { if (ok) { store.set(here + "#" + f.id, null); say(""); } else if (s !== 409 && s !== 422) say("Not sent: the server did not answer. What you typed is kept here; please try again."); return; }
  raw.readOnly = false;
  if (ok && x.getResponseHeader("X-Seq")) { say(""); raw.value = ""; store.set(cmdKey, null); taps = back = 0; lastTap = ""; shownAt = performance.now(); }
  else if (s === 409 || s === 422) { say(""); shownAt = performance.now(); }
  else say(navigator.onLine ? "No answer came. " + kept() : "Not connected. " + kept());
});
on(document, "htmx:afterSettle", e => { if (log) log.scrollTop = 0; if (e.target.id === "log-lines" || mine(e)) ended(); });
on(document, "htmx:afterSwap", () => { const p = $(".problem"); if (p && !p.dataset.seen) { p.dataset.seen = 1; p.focus(); } $$("form[data-autosave]").forEach(autosave); });
if (command) on(command, "htmx:afterRequest", () => { if (log) log.scrollTop = 0; });

/* tap a name to put it into the command line */
const insert = name => { if (!raw || raw.readOnly) return;
  const v = raw.value.trimEnd();
  raw.value = lastTap && v.endsWith(" " + lastTap) ? v.slice(0, -lastTap.length) + name : (v ? v + " " : "") + name;
  lastTap = name; taps++; raw.dispatchEvent(new Event("input"));
  if (matchMedia("(pointer: fine)").matches) { raw.focus(); raw.setSelectionRange(raw.value.length, raw.value.length); } };
if (command && "tap" in command.dataset) {
  $$(".tale ol b").forEach(b => { const at = b.textContent.indexOf(" "); if (at < 0) return; const name = b.textContent.slice(at + 1); b.textContent = b.textContent.slice(0, at + 1); b.append(el("span", { className: "n", textContent: name })); });
  $$(".n").forEach(n => { const b = el("button", { type: "button", className: "n", textContent: n.textContent, title: "Put into the command line" }); if (n.closest(".tale")) b.tabIndex = -1; n.replaceWith(b); });
  on(document, "click", e => { const b = e.target.closest("button.n"); if (b) insert(b.textContent); });
}

/* accounts: sort, fold, pin */
const tales = $("ul#tales"), sort = $("#sort");
if (tales) {
  const key = here + "#tales", s = Object.assign({ sort: "", pins: [], folds: [] }, store.get(key)), cards = [...tales.children];
  const toggle = (list, n) => { const i = list.indexOf(n); i < 0 ? list.push(n) : list.splice(i, 1); };
  const value = (card, label) => { const c = $$(".chip", card).find(x => x.firstChild.textContent === label + ":"); return c ? c.lastChild.textContent.trim() : null; };
  const draw = () => {
    const rank = c => [!s.pins.includes(c.dataset.n), s.sort ? value(c, s.sort) : null];
    cards.slice().sort((a, b) => { const [pa, va] = rank(a), [pb, vb] = rank(b); if (pa !== pb) return pa - pb; if (va !== vb) return va === null ? 1 : vb === null ? -1 : va.localeCompare(vb, "en", { numeric: true }); return a.dataset.n - b.dataset.n; }).forEach(c => tales.append(c));
    cards.forEach(c => { const pin = s.pins.includes(c.dataset.n), fold = s.folds.includes(c.dataset.n); c.classList.toggle("pinned", pin); $("ol", c).hidden = fold; if (c.pin) { c.pin.setAttribute("aria-pressed", pin); c.pin.firstChild.textContent = pin ? "Unpin" : "Pin"; } c.fold.setAttribute("aria-expanded", !fold); c.fold.firstChild.textContent = fold ? "Unfold" : "Fold"; });
    store.set(key, s);
  };
  const button = (c, word, list, attr) => { const b = el("button", { type: "button", className: "mini quiet" }, word, el("span", { className: "vh", textContent: " " + $("h3 .n", c).textContent })); b.setAttribute(attr, "false"); on(b, "click", () => { toggle(list, c.dataset.n); draw(); b.focus(); }); return b; };
  cards.forEach(c => { const box = el("span", { className: "minis" }); if ("pin" in tales.dataset) box.append(c.pin = button(c, "Pin", s.pins, "aria-pressed")); box.append(c.fold = button(c, "Fold", s.folds, "aria-expanded")); $("h3", c).after(box); });
  const tools = $(".pane-head .tools") || $("#accounts .pane-head").appendChild(el("p", { className: "tools" }));
  const all = el("button", { type: "button", className: "quiet", textContent: "Fold all" });
  on(all, "click", () => { s.folds = s.folds.length < cards.length ? cards.map(c => c.dataset.n) : []; all.textContent = s.folds.length ? "Unfold all" : "Fold all"; draw(); });
  tools.append(all);
  if (sort) { sort.value = s.sort; on(sort, "change", () => { s.sort = sort.value; draw(); }); }
  draw();
}

/* tabs */
const desk = $(".desk"), nav = $(".tabs");
if (nav) {
  const mid = matchMedia("(min-width: 60rem)"), wide = matchMedia("(min-width: 100rem)"), links = [...nav.children], pane = a => $(a.hash);
  let live = [], chosen = store.get(here + "#tab") || location.hash;
  const pick = (a, focus) => { chosen = a.hash; desk.dataset.tab = a.hash.slice(1); live.forEach(x => { const is = x === a; x.setAttribute("aria-selected", is); x.tabIndex = is ? 0 : -1; pane(x).hidden = !is; }); if (focus) a.focus(); };
  const lay = () => {
    const m = wide.matches ? "w" : mid.matches ? "l" : "p";
    live = links.filter(a => a.dataset.m.includes(m));
    links.forEach(a => { const is = live.includes(a), p = pane(a); a.hidden = !is; p.hidden = false; a.id = "tab-" + a.hash.slice(1); p.tabIndex = 0;
      if (is) { a.setAttribute("role", "tab"); a.setAttribute("aria-controls", p.id); p.setAttribute("role", "tabpanel"); }
      else p.removeAttribute("role"); });
    nav.hidden = !live.length;
    if (live.length) { nav.setAttribute("role", "tablist"); pick(live.find(a => a.hash === chosen) || live[0]); } else desk.dataset.tab = "";
  };
  on(nav, "click", e => { const a = e.target.closest("a"); if (a) { e.preventDefault(); pick(a); store.set(here + "#tab", a.hash); if (log) log.scrollTop = 0; } });
  on(nav, "keydown", e => { const i = live.indexOf(document.activeElement), to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: live.length - 1 }[e.key]; if (i >= 0 && to !== undefined) { e.preventDefault(); pick(live[(to + live.length) % live.length], true); } });
  on(mid, "change", lay); on(wide, "change", lay); lay();
}

/* small screens with a keyboard open */
const vv = window.visualViewport;
const fit = () => { const h = vv.height; root.classList.toggle("kb", h < 432); if (vv.scale === 1 && innerHeight - h > 60) { root.style.setProperty("--vh", h + "px"); scrollTo(0, 0); } else root.style.removeProperty("--vh"); if (log) log.scrollTop = 0; };
if (vv && desk) { on(vv, "resize", fit); fit(); }

/* drafts and notes: kept here until the server says so */
function keep(form, revision) {
  const key = here + "#" + form.id, fields = () => $$("textarea, input:not([type=hidden])", form);
  return { key, put: () => store.set(key, { rev: revision(), v: fields().map(f => [f.name, f.type === "checkbox" ? f.checked : f.value]) }),
    restore() { const old = store.get(key); if (!old) return false; let changed = false;
      old.v.forEach(([name, v]) => { const f = form.elements[name]; if (!f) return; if (f.type === "checkbox") { changed = changed || f.checked !== v; f.checked = v; } else if (f.value !== v) { changed = true; f.value = v; } });
      return changed; }, old: () => store.get(key) };
}
function autosave(form) {
  if (form.save) return;
  const id = form.dataset.status, rev = () => { const r = $(`#${id} [name=revision]`); return r ? r.value : ""; };
  const k = keep(form, rev), tell = (text, cls = "") => { const s = $("#" + id); s.className = "save-status " + cls; s.firstElementChild.textContent = text; };
  let timer = 0, flying = false, again = false, stop = false;
  form.save = (last) => {
    clearTimeout(timer);
    if (stop) return;
    if (flying && !last) { again = true; return; }
    flying = true; again = false; fill(form);
    const body = new URLSearchParams(new FormData(form));
    fetch(form.dataset.autosave, { method: "POST", body, headers: { "HX-Request": "true" }, keepalive: String(body).length < 6e4 }).then(async r => {
      const doc = new DOMParser().parseFromString(await r.text(), "text/html"), fresh = doc.getElementById(id);
      if (!fresh || !(r.ok || r.status === 409 || r.status === 422)) throw r;
      $("#" + id).replaceWith(document.adoptNode(fresh)); say("");
      if (r.ok && !again) store.set(k.key, null); else if (r.status === 409) stop = true;
    }).catch(() => { tell("Not saved yet; kept on this device"); timer = setTimeout(form.save, 8000); if (!navigator.onLine) say("Not connected. " + kept()); })
      .finally(() => { flying = false; if (again) form.save(); });
  };
  on(form, "input", () => { k.put(); if (stop) return; clearTimeout(timer); timer = setTimeout(form.save, 900); tell("Writing…"); });
  on(form, "submit", e => { clearTimeout(timer); if (!form.hasAttribute("hx-post")) { e.preventDefault(); form.save(); } });
  on(window, "pagehide", () => { if (store.get(k.key)) form.save(true); });
  on(window, "online", () => { if (store.get(k.key)) form.save(); });
  const old = k.old();
  if (old && old.rev === rev()) { if (k.restore()) { tell("Brought back what you had typed"); form.save(); } }
  else if (old) { const b = el("button", { type: "button", className: "quiet", textContent: "Bring back what I typed here" }); on(b, "click", () => { k.restore(); b.remove(); form.save(); }); $("#" + id).after(b); }
}
$$("form[data-autosave]").forEach(autosave);
$$("form[data-keep]").forEach(f => { const k = keep(f, () => ""); k.restore(); on(f, "input", k.put); on(f, "submit", () => navigator.onLine && store.set(k.key, null)); });

/* copy buttons */
on(document, "click", async e => { const b = e.target.closest("[data-copy]"); if (!b) return;
  const from = document.getElementById(b.dataset.copy), text = from.value || from.textContent, was = b.dataset.label || (b.dataset.label = b.textContent);
  try { await navigator.clipboard.writeText(text); b.textContent = "Copied ✓"; } catch { getSelection().selectAllChildren(from); b.textContent = "Selected: press Ctrl + C"; }
  setTimeout(() => { b.textContent = was; }, 2500); });
ended();
})();
