/* Everything works without this script; it only makes it smoother. */
(() => {
  "use strict";

  const $ = (selector, within = document) => within.querySelector(selector);
  const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
  const on = (target, type, listener, options) => {
    if (target) target.addEventListener(type, listener, options);
  };
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const halt = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const now = () => Math.round(performance.now());
  const isTouch = () => matchMedia("(pointer: coarse)").matches;

  /* What a player reads, in the language of the page; without translations, English. */
  const words = JSON.parse(document.body.dataset.words || "{}");
  const word = (text) => words[text] || text;

  const root = document.documentElement;
  const log = $("#log");
  const command = $("#command");
  const raw = $("#raw");
  root.classList.add("js");

  /* What this window keeps, page by page. */
  const placeNow = () => "hj" + location.pathname; // an annotator's page shows several items
  const world = "hj" + location.pathname.replace(/(\/world\/\d+)\/.*/, "$1");
  let storage = {};
  try {
    storage = sessionStorage;
  } catch {
    /* storage is off */
  }
  const read = (key, place = placeNow()) => JSON.parse(storage[place + key] || "null");
  const forget = (key, place = placeNow()) => {
    delete storage[place + key];
  };
  const keep = (key, value, place = placeNow()) => {
    try {
      storage[place + key] = JSON.stringify(value);
    } catch {
      /* it is full; the server keeps drafts too */
    }
  };

  /* Who waits to enter a study without an ID keeps their turn if they open its link again: only
     this browser keeps their address, until they are in or the turn is over. */
  const TURN = "hjturn";
  const waiting = $("[data-turn]");
  const turnNote = $("#turn");
  const keepTurn = ({ turn, until }) => {
    const kept = { turn, until: Date.now() + until * 1e3, url: location.href };
    localStorage[TURN] = JSON.stringify(kept);
  };
  const offerTurn = (kept) => {
    const isMine = kept && kept.turn === location.pathname && Date.now() < kept.until;
    if (isMine) $("a", turnNote).href = kept.url;
    turnNote.hidden = !isMine;
  };
  try {
    if (waiting) keepTurn(waiting.dataset);
    if (turnNote) offerTurn(JSON.parse(localStorage[TURN] || "null"));
    if (location.pathname.startsWith("/p/")) delete localStorage[TURN];
  } catch {
    /* storage is off */
  }

  /* What is said of a command can be scrolled by keyboard where it is higher than its box. */
  const said = $("#alert");
  const letScroll = () => {
    if (said.scrollHeight > said.clientHeight) said.tabIndex = 0;
    else said.removeAttribute("tabindex");
  };
  if (said) {
    letScroll();
    new MutationObserver(letScroll).observe(said, { childList: true });
    on(window, "resize", letScroll);
  }

  /* One bar says when the server does not answer: beside the command line, where one looks. */
  const bar = $("#net");
  if (command) command.before(bar);
  const tell = (text) => {
    if (bar.textContent !== text) bar.textContent = text;
  };
  const tellNoAnswer = () => {
    const why = navigator.onLine ? word("The server did not answer.") : word("Not connected.");
    tellKept(why);
  };
  const tellKept = (why) => {
    const isTyping = command && command.contains(document.activeElement) && !isTouch();
    const what = isTyping ? word("Press Enter to try again.") : word("Please try again.");
    tell(`${why} ${word("What you typed is kept.")} ${what}`);
  };
  on(window, "offline", tellNoAnswer);
  on(window, "online", () => tell(""));

  /* The warning before the time is over comes when it is due (timers hold 24 days at most). */
  const warning = $("#warning[data-in]");
  const showWarning = () => {
    warning.hidden = false;
  };
  if (warning && warning.dataset.in < 2e6) setTimeout(showWarning, warning.dataset.in * 1e3);

  /* Process data, named in the consent text: sent in the fields that ask for it. */
  const spent = { keys: 0, pasted: 0, hidden_ms: 0 };
  let hiddenAt = 0;
  on(document, "visibilitychange", () => {
    if (document.hidden) hiddenAt = now();
    else spent.hidden_ms += now() - hiddenAt;
  });
  on(document, "keydown", ({ target }) => {
    if (target.rows) spent.keys++;
  });
  on(document, "paste", ({ target, clipboardData }) => {
    if (target.rows) spent.pasted += clipboardData.getData("text").length;
  });
  const fill = (form) => {
    const viewport = innerWidth + "x" + innerHeight;
    const facts = { ...spent, write_ms: now(), viewport };
    $$("[data-fill]", form).forEach((field) => {
      field.value = facts[field.name];
    });
  };

  /* A link that looks like a button answers to Space, as buttons do. */
  const pressLink = (event) => {
    if (event.key !== " " || !event.target.matches('a[role="button"]')) return;
    event.preventDefault();
    if (!event.repeat) event.target.click();
  };
  on(document, "keydown", pressLink);

  /* A field with the focus is never behind the row of buttons that stays in sight, nor is one that
     was written in when a keyboard closes. Nothing moves under a finger that ticks a box. */
  const showAboveRow = () => {
    const row = $("#rule .save-row");
    const target = document.activeElement;
    if (!row || !target.matches("#rule :focus-visible") || row.contains(target)) return;
    const [below, end] = [target, desk].map((one) => one.getBoundingClientRect().bottom);
    const most = Math.min(row.getBoundingClientRect().top, end, innerHeight);
    if (below > most) target.scrollIntoView({ block: "center" });
  };
  const showAboveRowSoon = () => setTimeout(showAboveRow, 50); // once it is scrolled to
  on(document, "focusin", showAboveRowSoon);
  on(window, "resize", showAboveRowSoon);

  /* What this script knows of a form. It is not kept on the form: a button named `save` would be
     found there in its stead. */
  const known = new WeakMap();
  const about = (form) => {
    if (!known.has(form)) known.set(form, {});
    return known.get(form);
  };

  /* A form that changes something is sent once, and its button says so. */
  const release = (form) => {
    const { button, text } = about(form);
    if (!button) return;
    button.textContent = text;
    button.ariaDisabled = null;
    about(form).button = null;
  };
  const setBusy = (form, button) => {
    release(form);
    if (!button) return;
    Object.assign(about(form), { button, text: button.textContent });
    button.textContent = word("Sending…");
    button.ariaDisabled = "true";
  };
  const savesOnly = (form, button, isHtmx) =>
    about(form).save && ((button && "save" in button.dataset) || !isHtmx);

  const sendForm = (event) => {
    const form = event.target;
    const button = event.submitter;
    const isHtmx = form.hasAttribute("hx-post");
    if (form.getAttribute("method") === "get") return;
    if (about(form).button) return halt(event);
    if (savesOnly(form, button, isHtmx)) {
      halt(event);
      return about(form).save();
    }
    fill(form);
    if (form === command && !completeCommand(event)) return;
    if (form === command) $("#alert").textContent = ""; // it was about the last one
    about(form).sent = true;
    if (window.htmx && isHtmx) return;
    if (form === command) raw.readOnly = true;
    setTimeout(() => setBusy(form, button || $("button", form)));
  };
  on(document, "submit", sendForm, true);

  /* A refused form's page came by POST: Back would show the browser's own error, not the page. */
  const [arrived] = performance.getEntriesByType("navigation");
  const isOwnAddress = /^\/([ps]|rate)\//.test(location.pathname); // where GET shows the same page
  if (isOwnAddress && arrived && arrived.responseStatus >= 400 && $(".problem"))
    history.replaceState(null, "", location.href);

  /* A page from the browser's cache, whose form was sent, holds a used ticket. */
  on(window, "pageshow", (event) => {
    const wasSent = command || $$("form").some((form) => about(form).button);
    if (event.persisted && wasSent) location.reload();
  });

  /* What htmx sends and gets. */
  const onHtmx = (type, listener) =>
    on(document, "htmx:" + type, (event) => listener(event.detail));
  const isOk = (xhr) => xhr.status >= 200 && xhr.status < 300;
  const isPlayed = (xhr) => isOk(xhr) && xhr.getResponseHeader("X-Seq");
  const isAnswer = (form, xhr) =>
    xhr.status === 409 || xhr.status === 422 || (form === command ? isPlayed(xhr) : isOk(xhr));

  const afterRequest = ({ elt: form, xhr }) => {
    if (isOk(xhr) && xhr.getResponseHeader("HX-Redirect")) return forget("#" + form.id);
    release(form);
    if (form === command) raw.readOnly = false;
    if (!isAnswer(form, xhr)) {
      about(form).sent = false;
      if (xhr.status === 413) tell(word("This is too long to send. Please shorten it."));
      else if (xhr.getResponseHeader("X-Error"))
        tellKept(word("The server cannot save right now."));
      else tellNoAnswer();
      return;
    }
    tell("");
    if (form === command) showTurn(isOk(xhr));
    else showAnswer();
  };
  const showAnswer = () => {
    $$("form[data-autosave]").forEach(autosave);
    const problem = $(".problem");
    if (problem) problem.focus();
  };
  onHtmx("beforeRequest", ({ elt: form }) => {
    setBusy(form, $("button:not([type=button])", form));
    if (form === command) raw.readOnly = true;
  });
  onHtmx("beforeSwap", (detail) => {
    /* a page from a proxy, as in a hotel's network, is not a turn: ours name its number */
    const { requestConfig, xhr } = detail;
    const isForeign = xhr.status < 300 && !xhr.getResponseHeader("X-Seq");
    if (requestConfig.elt === command && isForeign) detail.shouldSwap = false;
  });
  onHtmx("afterRequest", afterRequest);
  on(document, "htmx:beforeOnLoad", (event) => {
    /* a text that came too late is sent again as a plain form, whose answer is a page that shows it */
    const { elt: form, xhr } = event.detail;
    if (!xhr.getResponseHeader("X-Late")) return;
    event.preventDefault();
    form.submit();
  });

  /* The command line. */
  let shownAt = now();
  let taps = 0;
  let lastTap = "";
  let stepsBack = 0; // into what was typed before
  let unsent = "";
  const keepTyped = () => keep("raw", { seq: $("#seq").value, text: raw.value });
  const toEnd = () => raw.setSelectionRange(raw.value.length, raw.value.length);

  const completeCommand = (event) => {
    if (!raw.value.trim()) {
      halt(event);
      said.textContent = "";
      raw.focus();
      return false;
    }
    command.client_ms.value = Date.now();
    command.think_ms.value = now() - shownAt;
    command.taps.value = taps;
    keepTyped();
    return true;
  };
  const clearCommand = () => {
    raw.value = lastTap = "";
    taps = stepsBack = 0;
    forget("raw");
  };
  const showTurn = (isDone) => {
    shownAt = now();
    if (isDone) clearCommand();
    showNewest();
    const isOver = endCommands();
    $("#say").scrollIntoView({ block: "end" });
    if (isOver) $("#after-h").focus();
  };
  const showNewest = () => {
    $("#newest").scrollTop = 0;
    log.scrollTop = 0; // the end
    const reply = $$("#log-lines > [data-line]").at(-1);
    const cut = reply ? log.getBoundingClientRect().top - reply.getBoundingClientRect().top : 0;
    if (cut > 0) log.scrollTop -= Math.ceil(cut); // above a keyboard: its start says how it went
  };
  const endCommands = () => {
    const isOver = $("#state").dataset.done === "true";
    if (isOver) command.hidden = true;
    return isOver;
  };
  const recall = (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || raw.readOnly) return;
    const past = $$("#log-lines .you").map((line) => line.lastChild.textContent);
    if (!past.length) return;
    event.preventDefault();
    if (!stepsBack) unsent = raw.value;
    stepsBack = Math.min(past.length, Math.max(0, stepsBack + step));
    raw.value = stepsBack ? past[past.length - stepsBack] : unsent;
    toEnd();
  };
  if (command) {
    const kept = read("raw");
    if (kept && kept.seq === $("#seq").value && !raw.value) raw.value = kept.text;
    on(raw, "input", () => {
      stepsBack = 0;
      keepTyped();
    });
    on(raw, "keydown", recall);
    endCommands();
  }

  /* Tap a name to put it into the command line. */
  const markCommandName = (step) => {
    const [verb, ...words] = step.textContent.split(" ");
    if (!words[0]) return;
    const name = make("b", { className: "n", textContent: words.join(" ") });
    step.replaceChildren(verb + " ", name);
  };
  const makeTappable = (name) => {
    /* there are many in the accounts: the tab key passes over those */
    const tabIndex = name.closest(".tale") ? -1 : 0;
    const text = { className: "n", textContent: name.textContent, tabIndex };
    name.replaceWith(make("button", { type: "button", ...text }));
  };
  const withName = (typed, name) => {
    /* a second tap in a row replaces the name of the first */
    if (lastTap && typed.endsWith(" " + lastTap)) return typed.slice(0, -lastTap.length) + name;
    return (typed && typed !== lastTap ? typed + " " : "") + name;
  };
  const tap = ({ target }) => {
    const button = target.closest("button.n");
    if (!button || raw.readOnly) return;
    raw.value = withName(raw.value.trimEnd(), button.textContent);
    lastTap = button.textContent;
    taps++;
    keepTyped();
    if (isTouch()) return; // the focus would bring up the keyboard
    raw.focus();
    toEnd();
  };
  const tapVerb = ({ target }) => {
    const button = target.closest(".verb");
    if (!button || raw.readOnly) return;
    const takesName = "what" in button.dataset;
    if (!takesName || !raw.value.endsWith(lastTap)) lastTap = "";
    raw.value = button.textContent + (takesName ? " " + lastTap : "");
    taps++;
    keepTyped();
  };
  const markNames = (sentence) => {
    const names = new Set($$(".goal .n, #world .n").map((name) => name.textContent));
    const isName = (piece) => names.has(piece);
    const pieces = sentence.textContent.trim().split(new RegExp(`(${[...names].join("|")})`));
    const shown = (piece) => make("b", { className: "n", textContent: piece });
    sentence.replaceChildren(...pieces.map((piece) => (isName(piece) ? shown(piece) : piece)));
  };
  if (command && "tap" in command.dataset) {
    $$("[data-page=practice] .goal > p:not([class])").forEach(markNames);
    $$(".tale ol b").forEach(markCommandName);
    $$(".n").forEach(makeTappable);
    on(document, "click", tap);
    on($(".verbs-to-tap"), "click", tapVerb);
  }

  /* Accounts: sort, fold, pin, kept for all pages of a world. */
  const setUpTales = (list) => {
    const kept = Object.assign({ sort: "", Pin: [], Fold: [] }, read("tales", world));
    const cards = [...list.children];
    const numberOf = (card) => card.dataset.n;
    const isPinned = (card) => kept.Pin.includes(numberOf(card));
    const sortValue = (card) => {
      const isSorted = (chip) => chip.firstChild.textContent === kept.sort + ":";
      const chip = $$(".chip", card).find(isSorted);
      return chip ? chip.lastChild.textContent.trim() : "";
    };
    const byValue = (a, b) =>
      !sortValue(a) - !sortValue(b) ||
      sortValue(a).localeCompare(sortValue(b), "en", { numeric: true });
    const inOrder = (a, b) =>
      isPinned(b) - isPinned(a) || byValue(a, b) || numberOf(a) - numberOf(b);
    const foldAll = make("button", { type: "button", className: "quiet" });

    const drawCard = (card) => {
      const isFolded = kept.Fold.includes(numberOf(card));
      $("ol", card).hidden = isFolded;
      $(".unfold", card).hidden = !isFolded;
      card.classList.toggle("folded", isFolded);
      card.classList.toggle("pinned", isPinned(card));
      $$("[aria-pressed]", card).forEach((button) => {
        button.ariaPressed = kept[button.kind].includes(numberOf(card));
      });
    };
    const draw = () => {
      list.append(...cards.slice().sort(inOrder));
      cards.forEach(drawCard);
      foldAll.textContent = kept.Fold.length ? word("Unfold all") : word("Fold all");
      keep("tales", kept, world);
    };
    const toggle = (kind, number) => {
      const without = kept[kind].filter((other) => other !== number);
      kept[kind] = without.length < kept[kind].length ? without : [...kept[kind], number];
      draw();
    };
    const labels = { Pin: word("Pin"), Fold: word("Fold") };
    const nameOf = (card) => {
      const textContent = " " + $("h3 .n", card).textContent;
      return make("span", { className: "vh", textContent });
    };
    const miniButton = (card, kind) => {
      const properties = { type: "button", className: "mini quiet", kind, ariaPressed: "false" };
      const button = make("button", properties, labels[kind], nameOf(card));
      on(button, "click", () => {
        toggle(kind, numberOf(card));
        button.focus();
      });
      return button;
    };

    /* a folded account says in its line of traits what was done, and that there are commands in it */
    const brief = (card) => {
      const commands = $$("ol b", card).map((step) => step.textContent);
      return commands.filter((line) => !/^(go|defeat) /.test(line)).join(" → ");
    };
    const unfoldButton = (card, fold) => {
      const properties = { type: "button", className: "mini quiet unfold" };
      const rest = make("span", { className: "vh" }, " " + word("Show the commands"), nameOf(card));
      const button = make("button", properties, brief(card), " …", rest);
      on(button, "click", () => fold.click());
      return button;
    };

    const kinds = "pin" in list.dataset ? ["Pin", "Fold"] : ["Fold"];
    cards.forEach((card) => {
      const buttons = kinds.map((kind) => miniButton(card, kind));
      $("h3", card).after(make("span", { className: "minis" }, ...buttons));
      $(".chips", card).append(unfoldButton(card, buttons.at(-1)));
    });
    on(foldAll, "click", () => {
      kept.Fold = kept.Fold.length ? [] : cards.map(numberOf);
      draw();
    });
    $("#accounts .tools").append(foldAll);
    const sort = $("#sort");
    if (sort) sort.value = kept.sort;
    on(sort, "change", () => {
      kept.sort = sort.value;
      draw();
    });
    draw();
  };
  const tales = $("#accounts ul#tales");
  if (tales) setUpTales(tales);

  /* Tabs, as many as the room asks for: a link's data-m names the widths (phone, laptop, wide)
     in which it is one. */
  const desk = $(".desk");
  const setUpTabs = (bar) => {
    const laptop = matchMedia("(min-width: 37.5rem)"); // and tablets
    const wide = matchMedia("(min-width: 100rem)");
    const links = [...bar.children];
    const paneOf = (link) => $(link.hash);
    let tabs = [];
    let chosen = location.hash || read("tab");

    const show = (tab) => {
      desk.dataset.tab = tab.hash.slice(1);
      tabs.forEach((other) => {
        other.ariaSelected = other === tab;
        other.tabIndex = other === tab ? 0 : -1;
        paneOf(other).hidden = other !== tab;
      });
    };
    const choose = (tab) => {
      chosen = tab.hash;
      keep("tab", chosen);
      show(tab);
      if (command) showNewest();
    };
    const setRole = (link) => {
      const isTab = tabs.includes(link);
      const pane = paneOf(link);
      link.hidden = !isTab;
      link.role = isTab ? "tab" : null;
      pane.role = isTab ? "tabpanel" : null;
      pane.hidden = false;
      if (isTab) link.setAttribute("aria-controls", pane.id);
    };
    const layOut = () => {
      const width = wide.matches ? "w" : laptop.matches ? "l" : "p";
      tabs = links.filter((link) => link.dataset.m.includes(width));
      links.forEach(setRole);
      bar.hidden = !tabs.length;
      bar.role = tabs.length ? "tablist" : null;
      if (tabs.length) show(tabs.find((tab) => tab.hash === chosen) || tabs[0]);
      else desk.dataset.tab = "";
    };
    const moveByKey = (event) => {
      const at = tabs.indexOf(document.activeElement);
      const step = document.dir === "rtl" ? -1 : 1;
      const to = { ArrowRight: at + step, ArrowLeft: at - step, Home: 0, End: -1 }[event.key];
      if (at < 0 || to === undefined) return;
      event.preventDefault();
      const tab = tabs.at(to % tabs.length);
      choose(tab);
      tab.focus();
    };

    on(bar, "click", (event) => {
      const link = event.target.closest("a");
      if (!link) return;
      event.preventDefault();
      choose(link);
    });
    on(bar, "keydown", moveByKey);
    on(laptop, "change", layOut);
    on(wide, "change", layOut);
    layOut();
  };
  if ($(".tabs")) setUpTabs($(".tabs"));

  /* Room for a phone's keyboard. It shows by what it takes away from the tallest window of this
     width while someone writes. A low window alone, as at 400 %, scrolls instead. */
  const viewport = window.visualViewport;
  const low = matchMedia("(max-width: 37.49rem) and (max-height: 26rem)");
  const KEYBOARD = 120; // px, less than any keyboard is high
  const tallest = read("tallest", "") || {}; // by width; kept, since pages may load with a keyboard
  const isWriting = () => document.activeElement?.matches("textarea, input:not([type])");
  let lowest = 0; // above the keyboard that is open
  const fitViewport = () => {
    const height = viewport.height * viewport.scale;
    const most = Math.max(tallest[innerWidth] || 0, innerHeight);
    if (most !== tallest[innerWidth]) {
      tallest[innerWidth] = most;
      keep("tallest", tallest, "");
    }
    /* It ends when the window grows again: a tap takes the focus before it is over, and a button
       that moved away meanwhile would not get it. */
    const isOpen = isWriting() || (lowest && height - lowest <= KEYBOARD);
    const hasKeyboard = isTouch() && isOpen && most - height > KEYBOARD;
    lowest = hasKeyboard ? Math.min(lowest || height, height) : 0;
    const isCovered = hasKeyboard && innerHeight - height > 60; // the page has not become lower
    root.classList.toggle("kb", hasKeyboard);
    root.classList.toggle("flow", low.matches && !hasKeyboard);
    root.style.setProperty("--vh", isCovered ? height + "px" : "100dvh");
    if (isCovered) scrollTo(0, 0);
    if (command) showNewest();
  };
  if (viewport && desk) {
    on(viewport, "resize", fitViewport);
    on(document, "focusin", fitViewport);
    on(low, "change", fitViewport);
    root.classList.toggle("flow", low.matches);
  }
  /* what measures the page waits until it is drawn */
  on(window, "load", () => {
    if (viewport && desk) fitViewport();
    if (command && !isTouch() && document.activeElement === document.body) {
      raw.focus({ preventScroll: true });
    }
  });

  /* Drafts and notes: saved while typed, kept here until the server has them. */
  const fieldsOf = (form) => $$("textarea, select, input:not([type=hidden])", form);
  const isTicked = (field) => /checkbox|radio/.test(field.type);
  const valuesOf = (form) =>
    fieldsOf(form).map((field) => (isTicked(field) ? field.checked : field.value));
  const putValues = (form, values) =>
    fieldsOf(form).forEach((field, index) => {
      if (isTicked(field)) field.checked = values[index];
      else field.value = values[index];
    });

  const post = (url, form) => {
    const body = new URLSearchParams(new FormData(form));
    const keepalive = String(body).length < 6e4; // more than that, browsers refuse
    return fetch(url, { method: "POST", body, headers: { "HX-Request": "true" }, keepalive });
  };

  function autosave(form) {
    const mine = about(form);
    if (mine.save) return;
    const key = "#" + form.id;
    const statusId = form.dataset.status;
    const revision = () => $(`#${statusId} [name=revision]`).value;
    const say = (text) => {
      $("#" + statusId).className = "save-status";
      $(`#${statusId} span`).textContent = text;
    };
    let timer;
    let isFlying = false;
    let isWanted = false; // once more, after the one that is under way
    let isStale = false; // another window has saved meanwhile

    const saveIn = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(mine.save, ms);
    };
    const send = async () => {
      const answer = await post(form.dataset.autosave, form);
      const html = new DOMParser().parseFromString(await answer.text(), "text/html");
      const status = html.getElementById(statusId);
      if (!status) throw answer;
      $("#" + statusId).replaceWith(status);
      tell("");
      isStale = answer.status === 409;
      if (answer.ok && !isWanted) forget(key);
    };
    mine.save = async () => {
      clearTimeout(timer);
      if (isStale) return;
      isWanted = isFlying;
      if (isFlying) return;
      isFlying = true;
      fill(form);
      try {
        await send();
      } catch {
        say(word("Not saved yet, kept in this window"));
        saveIn(8000);
      }
      isFlying = false;
      if (isWanted) mine.save();
    };

    on(form, "input", ({ target }) => {
      mine.sent = false;
      keep(key, { rev: revision(), v: valuesOf(form) });
      if (isStale) return;
      saveIn(900);
      say(isTicked(target) ? "" : word("Writing…"));
    });
    on(form, "submit", () => clearTimeout(timer));
    on(window, "pagehide", () => {
      if (!mine.sent && read(key)) mine.save();
    });
    on(window, "online", () => {
      if (read(key)) mine.save();
    });

    const kept = read(key);
    if (!kept || String(kept.v) === String(valuesOf(form))) return;
    const bringBack = () => {
      putValues(form, kept.v);
      say(word("Your latest text is back"));
      mine.save();
    };
    if (kept.rev === revision()) bringBack();
    else offer(word("Restore what I typed here"), $("#" + statusId), bringBack);
  }
  const offer = (text, after, accept) => {
    const button = make("button", { type: "button", className: "quiet", textContent: text });
    on(button, "click", () => {
      accept();
      button.remove();
    });
    after.after(button);
  };
  const keepHere = (form) => {
    const kept = read("#" + form.id);
    if (kept) putValues(form, kept);
    on(form, "input", () => keep("#" + form.id, valuesOf(form)));
  };
  $$("form[data-autosave]").forEach(autosave);
  const keepAll = () => $$("form[data-keep]").forEach(keepHere);
  keepAll();
  on(document, "hj:shown", keepAll);
  on(document, "hj:saved", ({ detail }) => forget("#rate-form", "hj" + detail));
  if ($("[data-forget]")) forget("#report-form");

  /* A password can be looked at before it is sent. */
  on(document, "click", ({ target }) => {
    const button = target.closest("[data-show]");
    if (!button) return;
    const field = document.getElementById(button.dataset.show);
    const isShown = field.type === "password";
    field.type = isShown ? "text" : "password";
    button.ariaPressed = isShown;
    field.focus();
  });

  /* Copy buttons. */
  const copy = async (button) => {
    const source = document.getElementById(button.dataset.copy);
    const usual = button.textContent;
    try {
      await navigator.clipboard.writeText(source.value || source.textContent);
      button.textContent = word("Copied ✓");
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = word("Selected");
    }
    setTimeout(() => {
      button.textContent = usual;
    }, 2500);
  };
  on(document, "click", ({ target }) => {
    const button = target.closest("[data-copy]");
    if (button) copy(button);
  });
})();
