/* Everything works without this script; it only makes it smoother. */
(() => {
"use strict";
const $ = (s, r = document) => r.querySelector(s), $$ = (s, r = document) => [...r.querySelectorAll(s)];
const on = (t, type, f, o) => t && t.addEventListener(type, f, o);
const make = (tag, props, ...kids) => { const e = Object.assign(document.createElement(tag), props); e.append(...kids); return e; };
const doc = document, root = doc.documentElement, here = "hj" + location.pathname;
let box = {};
try { box = sessionStorage; } catch { /* storage is off */ }
const read = k => JSON.parse(box[here + k] || "null"), forget = k => { delete box[here + k]; };
const keep = (k, v) => { try { box[here + k] = JSON.stringify(v); } catch { /* it is full; the server keeps drafts too */ } };
root.classList.add("js");

/* one bar says when the server does not answer */
const command = $("#command"), raw = $("#raw"), log = $("#log"), net = $("#net");
const tell = text => { if (net.textContent !== text) net.textContent = text; };
const down = () => tell((navigator.onLine ? "The server did not answer. " : "Not connected. ") + "What you typed is kept. " + (command ? "Press Enter to try again." : "Please try again."));
on(window, "offline", down);
on(window, "online", () => tell(""));

/* the warning before the time is over comes when it is due */
const warning = $("#warning[data-in]");
if (warning && warning.dataset.in < 2e6) setTimeout(() => { warning.hidden = false; }, warning.dataset.in * 1e3);

/* process data, named in the consent text */
const spent = { keys: 0, pasted: 0, hidden_ms: 0 };
const clock = () => Math.round(performance.now());
let hiddenAt = 0, shownAt = clock();
on(doc, "visibilitychange", () => { if (doc.hidden) hiddenAt = clock(); else spent.hidden_ms += clock() - hiddenAt; });
on(doc, "keydown", e => { if (e.target.rows) spent.keys++; });
on(doc, "paste", e => { if (e.target.rows) spent.pasted += e.clipboardData.getData("text").length; });
const fill = form => {
	const now = { ...spent, write_ms: clock(), viewport: innerWidth + "x" + innerHeight };
	$$("[data-fill]", form).forEach(i => { i.value = now[i.name]; });
};

/* a form that changes something is sent once, and its button says so */
const busy = (form, b) => {
	if (form.by) { form.by.textContent = form.was; form.by.ariaDisabled = null; }
	if (b) { form.was = b.textContent; b.textContent = "Sending…"; b.ariaDisabled = "true"; }
	form.by = b;
};
on(doc, "submit", e => {
	const form = e.target, by = e.submitter, ours = form.hasAttribute("hx-post"), halt = () => { e.preventDefault(); e.stopPropagation(); };
	if (form.method === "get") return;
	if (form.by) return halt();
	if (form.save && (by && "save" in by.dataset || !ours)) { halt(); return form.save(); }
	fill(form);
	if (form === command) {
		if (!raw.value.trim()) { halt(); return raw.focus(); }
		form.client_ms.value = Date.now();
		form.think_ms.value = clock() - shownAt;
		form.taps.value = taps;
		typed();
	}
	form.sent = true;
	if (!window.htmx || !ours) { if (form === command) raw.readOnly = true; setTimeout(() => busy(form, by || $("button", form))); }
}, true);
const hx = (type, f) => on(doc, "htmx:" + type, e => f(e.detail));
/* a page that the browser kept, of which a form was sent, has a ticket that is spent */
on(window, "pageshow", e => { if (e.persisted && (command || $$("form").some(f => f.by))) location.reload(); });
hx("beforeRequest", ({ elt }) => { busy(elt, $("button:not([type=button])", elt)); if (elt === command) raw.readOnly = true; });
hx("beforeSwap", d => { /* the server's own word names the action */
	if (d.requestConfig.elt === command && d.xhr.status < 300 && !d.xhr.getResponseHeader("X-Seq")) d.shouldSwap = false;
});
hx("afterRequest", ({ elt: f, xhr: x }) => {
	const s = x.status, ok = s >= 200 && s < 300;
	if (ok && x.getResponseHeader("HX-Redirect")) return forget("#" + f.id);
	busy(f);
	if (f === command) raw.readOnly = false;
	const heard = s === 409 || s === 422 || ok && (f !== command || x.getResponseHeader("X-Seq"));
	if (!heard) { f.sent = false; return s === 413 ? tell("This is too long to send. Please shorten it.") : down(); }
	tell("");
	if (f === command) {
		shownAt = clock();
		if (ok) { raw.value = lastTap = ""; taps = back = 0; forget("raw"); }
		log.scrollTop = 0;
		ended(true);
	} else {
		$$("form[data-autosave]").forEach(autosave);
		const p = $(".problem"); p && p.focus();
	}
});

/* the command line */
const touch = () => matchMedia("(pointer: coarse)").matches;
let taps = 0, back = 0, draft = "", lastTap = "";
const typed = () => keep("raw", { seq: $("#seq").value, text: raw.value });
const toEnd = () => raw.setSelectionRange(raw.value.length, raw.value.length);
const ended = focus => { if (!command || $("#state").dataset.done !== "true") return; command.hidden = true; if (focus) $("#after-h").focus(); };
if (command) {
	const old = read("raw");
	if (old && old.seq === $("#seq").value && !raw.value) raw.value = old.text;
	on(raw, "input", () => { back = 0; typed(); });
	on(raw, "keydown", e => {
		const by = { ArrowUp: 1, ArrowDown: -1 }[e.key], past = $$("#log-lines .you").map(p => p.lastChild.textContent);
		if (!by || raw.readOnly || !past.length) return;
		e.preventDefault();
		if (!back) draft = raw.value;
		back = Math.min(past.length, Math.max(0, back + by));
		raw.value = back ? past[past.length - back] : draft;
		toEnd();
	});
	ended();
}

/* tap a name to put it into the command line */
if (command && "tap" in command.dataset) {
	$$(".tale ol b").forEach(b => { const [verb, ...name] = b.textContent.split(" "); if (name[0]) b.replaceChildren(verb + " ", make("b", { className: "n", textContent: name.join(" ") })); });
	$$(".n").forEach(n => n.replaceWith(make("button", { type: "button", className: "n", textContent: n.textContent, tabIndex: n.closest(".tale") ? -1 : 0 })));
	on(doc, "click", e => {
		const b = e.target.closest("button.n"), name = b && b.textContent, v = raw.value.trimEnd();
		if (!b || raw.readOnly) return;
		raw.value = lastTap && v.endsWith(" " + lastTap) ? v.slice(0, -lastTap.length) + name : (v && v !== lastTap ? v + " " : "") + name;
		lastTap = name; taps++; typed();
		if (!touch()) { raw.focus(); toEnd(); }
	});
}

/* accounts: sort, fold, pin */
const tales = $("#accounts ul#tales"), sort = $("#sort");
if (tales) {
	const s = Object.assign({ sort: "", Pin: [], Fold: [] }, read("tales")), cards = [...tales.children], nr = c => c.dataset.n;
	const value = c => { const chip = $$(".chip", c).find(x => x.firstChild.textContent === s.sort + ":"); return chip ? chip.lastChild.textContent.trim() : ""; };
	const pinned = c => s.Pin.includes(nr(c));
	const order = (a, b) => pinned(b) - pinned(a) || !value(a) - !value(b) || value(a).localeCompare(value(b), "en", { numeric: true }) || nr(a) - nr(b);
	const all = make("button", { type: "button", className: "quiet" });
	const draw = () => {
		tales.append(...cards.slice().sort(order));
		cards.forEach(c => { $("ol", c).hidden = s.Fold.includes(nr(c)); c.classList.toggle("pinned", pinned(c)); $$("[aria-pressed]", c).forEach(b => { b.ariaPressed = s[b.word].includes(nr(c)); }); });
		all.textContent = s.Fold.length ? "Unfold all" : "Fold all";
		keep("tales", s);
	};
	cards.forEach(c => {
		const words = "pin" in tales.dataset ? ["Pin", "Fold"] : ["Fold"];
		$("h3", c).after(make("span", { className: "minis" }, ...words.map(word => {
			const b = make("button", { type: "button", className: "mini quiet", word, ariaPressed: "false" }, word, make("span", { className: "vh", textContent: " " + $("h3 .n", c).textContent }));
			on(b, "click", () => { const i = s[word].indexOf(nr(c)); i < 0 ? s[word].push(nr(c)) : s[word].splice(i, 1); draw(); b.focus(); });
			return b;
		})));
	});
	on(all, "click", () => { s.Fold = s.Fold.length ? [] : cards.map(nr); draw(); });
	$("#accounts .tools").append(all);
	if (sort) { sort.value = s.sort; on(sort, "change", () => { s.sort = sort.value; draw(); }); }
	draw();
}

/* tabs, as many as the room asks for */
const desk = $(".desk"), nav = $(".tabs");
if (nav) {
	const mid = matchMedia("(min-width: 60rem)"), wide = matchMedia("(min-width: 100rem)"), links = [...nav.children], pane = a => $(a.hash);
	let live = [], chosen = location.hash || read("tab");
	const pick = (a, wanted, focus) => {
		if (wanted) keep("tab", chosen = a.hash);
		desk.dataset.tab = a.hash.slice(1);
		live.forEach(x => { x.ariaSelected = x === a; x.tabIndex = x === a ? 0 : -1; pane(x).hidden = x !== a; });
		if (focus) a.focus();
		if (wanted && log) log.scrollTop = 0;
	};
	const lay = () => {
		const room = wide.matches ? "w" : mid.matches ? "l" : "p";
		live = links.filter(a => a.dataset.m.includes(room));
		links.forEach(a => {
			const p = pane(a), is = live.includes(a);
			a.hidden = !is; p.hidden = false; a.role = is ? "tab" : null; p.role = is ? "tabpanel" : null;
			if (is) a.setAttribute("aria-controls", p.id);
		});
		nav.hidden = !live.length; nav.role = live.length ? "tablist" : null;
		if (live.length) pick(live.find(a => a.hash === chosen) || live[0]); else desk.dataset.tab = "";
	};
	on(nav, "click", e => { const a = e.target.closest("a"); if (a) { e.preventDefault(); pick(a, true); } });
	on(nav, "keydown", e => {
		const i = live.indexOf(document.activeElement), to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }[e.key];
		if (i >= 0 && to !== undefined) { e.preventDefault(); pick(live.at(to % live.length), true, true); }
	});
	on(mid, "change", lay); on(wide, "change", lay); lay();
}

/* room for a phone's keyboard */
const vv = window.visualViewport;
const fit = () => {
	root.classList.toggle("kb", vv.height < 432);
	const covered = vv.scale === 1 && innerHeight - vv.height > 60;
	root.style.setProperty("--vh", covered ? vv.height + "px" : "100dvh");
	if (covered) scrollTo(0, 0);
	if (log) log.scrollTop = 0;
};
if (vv && desk) on(vv, "resize", fit);
/* what measures the page waits until it is drawn */
on(window, "load", () => {
	if (vv && desk) fit();
	if (command && !touch() && doc.activeElement === doc.body) raw.focus();
});

/* drafts and notes: saved while typed, kept here until the server has them */
const fields = form => $$("textarea, select, input:not([type=hidden])", form), ticked = f => /checkbox|radio/.test(f.type);
const values = form => fields(form).map(f => ticked(f) ? f.checked : f.value);
const put = (form, v) => fields(form).forEach((f, i) => { if (ticked(f)) f.checked = v[i]; else f.value = v[i]; });
function autosave(form) {
	if (form.save) return;
	const id = form.dataset.status, key = "#" + form.id, rev = () => $(`#${id} [name=revision]`).value, old = read(key);
	const say = text => { $("#" + id).className = "save-status"; $(`#${id} span`).textContent = text; };
	let timer, flying = false, again = false, stale = false;
	form.save = async () => {
		clearTimeout(timer);
		if (stale) return;
		if (flying) { again = true; return; }
		flying = true; again = false; fill(form);
		const body = new URLSearchParams(new FormData(form));
		try {
			const r = await fetch(form.dataset.autosave, { method: "POST", body, headers: { "HX-Request": "true" }, keepalive: String(body).length < 6e4 });
			const fresh = new DOMParser().parseFromString(await r.text(), "text/html").getElementById(id);
			if (!fresh) throw r;
			$("#" + id).replaceWith(fresh); tell("");
			stale = r.status === 409;
			if (r.ok && !again) forget(key);
		} catch { say("Not saved yet, kept in this window"); timer = setTimeout(form.save, 8000); }
		flying = false;
		if (again) form.save();
	};
	on(form, "input", () => { form.sent = false; keep(key, { rev: rev(), v: values(form) }); if (stale) return; clearTimeout(timer); timer = setTimeout(form.save, 900); say("Writing…"); });
	on(form, "submit", () => clearTimeout(timer));
	on(window, "pagehide", () => { if (!form.sent && read(key)) form.save(); });
	on(window, "online", () => { if (read(key)) form.save(); });
	if (!old || String(old.v) === String(values(form))) return;
	const bring = () => { put(form, old.v); say("Your latest text is back"); form.save(); };
	if (old.rev === rev()) return bring();
	const b = make("button", { type: "button", className: "quiet", textContent: "Restore what I typed here" });
	on(b, "click", () => { bring(); b.remove(); });
	$("#" + id).after(b);
}
$$("form[data-autosave]").forEach(autosave);
$$("form[data-keep]").forEach(f => { const old = read("#" + f.id); if (old) put(f, old); on(f, "input", () => keep("#" + f.id, values(f))); });
if ($("[data-forget]")) forget("#report-form");

/* copy buttons */
on(doc, "click", async e => {
	const b = e.target.closest("[data-copy]"), from = b && document.getElementById(b.dataset.copy);
	if (!b) return;
	const was = b.textContent;
	try { await navigator.clipboard.writeText(from.value || from.textContent); b.textContent = "Copied ✓"; } catch { getSelection().selectAllChildren(from); b.textContent = "Selected"; }
	setTimeout(() => { b.textContent = was; }, 2500);
});
})();
