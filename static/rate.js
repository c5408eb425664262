/* Rating by keys, and how long a page was in use. Everything works without this script. */
(() => {
  "use strict";

  const $ = (selector, within = document) => within.querySelector(selector);
  const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
  const form = () => $("#rate-form"); // htmx puts a new one there after each rating
  const tellInput = (box) => box.dispatchEvent(new Event("input", { bubbles: true }));

  let settings = {}; // of this browser
  try {
    settings = localStorage;
  } catch {
    /* storage is off */
  }

  /* Announce what was saved once the page has loaded. */
  const saved = $("#saved");
  const announcer = $("#said");
  const saySaved = () => {
    announcer.textContent = saved.textContent;
  };
  if (saved && announcer) setTimeout(saySaved, 400);

  /* Active time: the page is visible and was used within the last minute. */
  const IDLE_MS = 6e4;
  const SIGNS_OF_USE = ["keydown", "pointerdown", "pointermove", "scroll", "focusin"];
  let activeMs = 0;
  let countedUntil = performance.now();
  let lastUse = countedUntil;

  const countUntilNow = () => {
    const now = performance.now();
    activeMs += Math.max(0, Math.min(now, lastUse + IDLE_MS) - countedUntil);
    countedUntil = now;
  };
  const count = () => {
    if (document.hidden) countedUntil = performance.now();
    else countUntilNow();
  };
  const noteUse = () => {
    count();
    lastUse = countedUntil;
  };
  SIGNS_OF_USE.forEach((type) => {
    document.addEventListener(type, noteUse, { passive: true, capture: true });
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) countUntilNow();
    else countedUntil = lastUse = performance.now();
  });
  const addActiveTime = () => {
    count();
    form().active_ms.value = Math.round(activeMs);
  };

  /* Items that were left with a choice or a comment that nobody saved, in this window. */
  const UNSAVED = "hjunsaved";
  let session = {};
  try {
    session = sessionStorage;
  } catch {
    /* storage is off */
  }
  const roundPath = () => $("#to-round")?.pathname ?? location.pathname;
  const readUnsaved = () => JSON.parse(session[UNSAVED] || "{}");
  const isUnsaved = (path) => path in readUnsaved();
  const noteUnsaved = (path, name) => {
    session[UNSAVED] = JSON.stringify({ ...readUnsaved(), [path]: { name, round: roundPath() } });
  };
  const noteSaved = (path) => {
    const { [path]: _, ...others } = readUnsaved();
    session[UNSAVED] = JSON.stringify(others);
  };
  const showUnsaved = () => {
    const bar = $("#unsaved");
    const others = Object.entries(readUnsaved()).filter(
      ([path, { round }]) => path !== location.pathname && round === roundPath(),
    );
    bar.replaceChildren();
    others.forEach(([path, { name }], index) => {
      const link = document.createElement("a");
      link.href = path;
      link.textContent = name;
      bar.append(index ? ", " : "", link);
    });
    bar.append(others.length > 1 ? " are not saved yet." : " is not saved yet.");
    bar.hidden = !others.length;
  };
  const itemName = () => $("#item-h").firstChild.textContent.trim().replace(/\s+/g, " ");
  document.addEventListener("input", ({ target }) => {
    if (!target.closest("#item #rate-form")) return;
    noteUnsaved(location.pathname, itemName());
    sayState("Not saved yet");
  });

  /* Keys are off while a text is written, and for anyone who switched them off. */
  const areKeysOn = () => settings.hjstudyKeys !== "off";
  const showSetting = () => {
    const box = $("#keys-on");
    if (box) box.checked = areKeysOn();
  };
  document.addEventListener("change", ({ target }) => {
    if (target.id === "keys-on") settings.hjstudyKeys = target.checked ? "on" : "off";
  });

  /* The scales of a rating by criteria are filled one after the other. */
  const scales = () => $$(".scale", form());
  let current = 0;
  const markCurrent = () => {
    scales().forEach((scale, index) => scale.classList.toggle("current", index === current));
  };
  const goOn = () => {
    const last = scales().length - 1;
    if (!last) return;
    current = Math.min(current + 1, last);
    markCurrent();
    scales()[current].scrollIntoView({ block: "nearest" });
  };
  const goBack = () => {
    current = Math.max(0, current - 1);
    markCurrent();
  };
  const choose = (digit) => {
    const scale = scales()[Math.min(current, scales().length - 1)];
    const box = scale && $$("input", scale)[digit];
    if (!box) return;
    box.checked = true;
    const skip = $("#skip");
    if (skip && skip.type === "checkbox") skip.checked = false;
    goOn();
    box.focus({ preventScroll: true });
    tellInput(box);
  };

  const toggle = (box) => {
    box.checked = !box.checked || box.type === "radio";
    tellInput(box);
  };
  const skip = () => {
    toggle($("#skip"));
    $("#skip_reason").focus();
  };
  const click = (id) => {
    const link = $(id);
    if (link) link.click();
  };
  const save = () => form().requestSubmit($("#save"));

  /* While the page waits for a rating to be saved, keys and clicks count for nothing, and it says so. */
  let isSaving = false;
  const sayState = (text) => {
    const state = $("#save-state");
    if (state) state.textContent = text;
  };
  const setSaving = (on) => {
    isSaving = on;
    form()?.toggleAttribute("inert", on);
    sayState(on ? "Saving…" : "Not saved yet");
  };
  const refuse = (event) => {
    if (
      !isPlain(event) ||
      !(event.key === "Enter" || event.key in ANYWHERE || event.key in IN_FORM)
    )
      return;
    event.preventDefault();
    sayState("Saving… The key you pressed was not used.");
  };

  /* The next item is fetched before it is needed. Its time begins when it is shown. */
  const AHEAD_MS = 6e5; // older pages are fetched again
  let ahead = null;
  const fetchAhead = async () => {
    ahead = null;
    delete document.documentElement.dataset.ahead;
    const url = form()?.dataset.onward;
    if (!url || left.has(url)) return;
    try {
      const answer = await fetch(url);
      if (!answer.ok || answer.redirected) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      ahead = { url, page, at: performance.now() };
      document.documentElement.dataset.ahead = url;
    } catch {
      /* it is fetched once it is needed */
    }
  };
  const showPlace = (item, url, title) => {
    history.pushState({}, "", url);
    shownPath = location.pathname;
    document.title = title;
    $("#item").replaceWith(item);
    document.dispatchEvent(new Event("hj:shown"));
    scrollTo(0, 0);
    activeMs = 0;
    countedUntil = lastUse = performance.now();
    setSaving(false);
    start();
  };
  const showAhead = () => {
    const { url, page, at } = ahead;
    const item = document.adoptNode($("#item", page));
    const shown = $("[name=shown_ms]", item);
    if (shown) shown.value = Number(shown.value) + Math.round(performance.now() - at);
    showPlace(item, url, page.title);
    window.htmx.process(item);
  };

  /* Ratings on their way, oldest first, while the next item is shown already. One that cannot be
     saved comes back, and is sent again by htmx, which says why. What was typed since then is kept
     by app.js, and stands on its item's page again. Where htmx did not load, forms are plain: each
     is saved before the next item is shown. */
  const leaving = [];
  const left = new Set();
  const LONGEST_MS = 3e4;
  let goingTo = ""; // a link that waits for them
  let isWaiting = false; // the shown item is to be saved after them
  const isWhole = () => {
    const skips = $("#skip")?.checked;
    return skips ? $("#skip_reason").value : scales().every((one) => $("input:checked", one));
  };
  const canLeave = () =>
    window.htmx &&
    ahead &&
    performance.now() - ahead.at < AHEAD_MS &&
    !form().dataset.back &&
    isWhole();
  const leave = () => {
    leaving.push({ item: $("#item"), url: location.pathname, title: document.title });
    left.add(location.pathname);
    showAhead();
    saySaving();
    if (leaving.length === 1) sendLeaving();
  };
  const saySaving = () => {
    $("#saved").hidden = false;
    $("#saved").textContent = "Saving…";
  };
  const post = (sent) =>
    fetch(sent.getAttribute("action"), {
      method: "POST",
      body: new URLSearchParams(new FormData(sent)),
      headers: { "HX-Request": "true" },
      keepalive: true,
      signal: AbortSignal.timeout(LONGEST_MS),
    }).catch(() => null); // the network, or longer than browsers send after a page is left
  const sendLeaving = async () => {
    const [{ item, url }] = leaving;
    const answer = await post($("#rate-form", item));
    const to = answer?.ok && answer.headers.get("HX-Redirect");
    if (!to) return comeBack();
    document.dispatchEvent(new CustomEvent("hj:saved", { detail: url }));
    if (to === url || !to.startsWith(url.replace(/[^/]*$/, ""))) return location.assign(to);
    leaving.shift();
    if (leaving.length) return sendLeaving();
    showSaved(answer.headers);
    if (goingTo) location.assign(goingTo);
    else if (isWaiting) saveWaiting();
  };
  const showSaved = (headers) => {
    $("#saved").textContent = announcer.textContent = headers.get("X-Saved");
    $(".title-row progress").value = headers.get("X-Done");
    $("#done").textContent = `${headers.get("X-Done")} done`;
  };
  const saveWaiting = () => {
    isWaiting = false;
    setSaving(false);
    save();
  };
  const comeBack = () => {
    const [{ item, url, title }] = leaving.splice(0);
    isWaiting = false;
    goingTo = "";
    noteUnsaved(url, title.split(" of ")[0]);
    $("#rate-form", item).dataset.back = "yes";
    showPlace(item, url, title);
    save();
  };
  const sendRating = (event) => {
    if (event.target !== form()) return;
    addActiveTime();
    noteSaved(location.pathname); // or its page comes again
    const leaves = canLeave();
    if (!leaves && !leaving.length) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (leaves) return leave();
    isWaiting = true;
    setSaving(true);
  };
  document.addEventListener("submit", sendRating, true);
  const holdLink = (event) => {
    const link = event.target.closest("a[href]");
    if (!link || !leaving.length || !isPlain(event)) return;
    event.preventDefault();
    goingTo = link.href;
  };
  document.addEventListener("click", holdLink);

  const isRating = ({ detail }) => detail.elt.id === "rate-form";
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (isRating(event)) setSaving(true);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr } = event.detail;
    if (!isRating(event) || xhr.getResponseHeader("HX-Redirect")) return;
    setSaving(false);
    noteUnsaved(location.pathname, itemName());
  });
  let shownPath = location.pathname;
  window.addEventListener("popstate", () => {
    if (location.pathname !== shownPath) location.reload();
  });

  /* What a key does; those of the second table need the form. */
  const ANYWHERE = { n: () => click("#next"), p: () => click("#previous") };
  const IN_FORM = {
    0: () => choose(0),
    1: () => choose(1),
    2: () => choose(2),
    s: skip,
    f: () => toggle($("#flag")),
    c: () => $("#comment").focus(),
    Backspace: goBack,
  };
  const OF_RATING = { s: true, f: true, c: true }; // not where only the source is asked
  const isWriting = (target) =>
    target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
  const isPlain = (event) => !(event.ctrlKey || event.altKey || event.metaKey);

  const pressEnter = (event) => {
    if (event.target.closest("a, button, summary")) return;
    event.preventDefault();
    if (event.repeat) return;
    if (form()) save();
    else click("#go-on");
  };
  const pressInForm = (event) => {
    if (!form() || !(event.key in IN_FORM)) return;
    if (event.key === "Backspace" && scales().length < 2) return;
    if (event.key in OF_RATING && !$("#skip")) return;
    event.preventDefault();
    IN_FORM[event.key]();
  };
  const press = (event) => {
    const { key, target } = event;
    if (isSaving) return refuse(event);
    if (key === "Escape" && target.id === "comment") return target.blur();
    if (!areKeysOn()) return;
    if (key === "Enter" && target.id === "skip_reason" && target.value) {
      event.preventDefault();
      return save();
    }
    if (!isPlain(event) || isWriting(target)) return;
    if (key === "Enter") return pressEnter(event);
    if (key in ANYWHERE) return ANYWHERE[key]();
    pressInForm(event);
  };
  document.addEventListener("keydown", press);

  const start = () => {
    showSetting();
    current = 0;
    if (form() && scales().length > 1) markCurrent();
    if (!form()) noteSaved(location.pathname); // the round is closed, or the answer is shown
    if (isUnsaved(location.pathname)) sayState("Not saved yet");
    showUnsaved();
    fetchAhead();
  };
  document.addEventListener("htmx:afterSwap", start);

  const LOGGED_OUT =
    "You are logged out. Log in again in another tab, then save again here: " +
    "what you typed is kept.";
  const tellLoggedOut = () => {
    $("#net").textContent = LOGGED_OUT;
  };
  document.addEventListener("htmx:responseError", ({ detail }) => {
    /* after app.js has reported that no answer came */
    if (detail.xhr.status === 401) setTimeout(tellLoggedOut);
  });
  start();
})();
