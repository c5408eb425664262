/* The design pages: saves the draft while someone types, and warns before unsaved text is left. */
(() => {
  "use strict";

  const form = document.querySelector("form[data-draft]");
  if (!form) return;
  const status = document.getElementById("autosave");
  const saves = form.dataset.draft === "save";
  const PAUSE_MS = 1500;
  const RETRY_MS = 5000;
  let isDirty = false; // something typed is not stored yet
  let isSent = false; // the form itself was sent
  let isStopped = false; // another person or window has saved meanwhile
  let flying = null; // the save that is under way
  let unanswered = null; // what was sent without an answer; it may have been stored
  let timer;

  const say = (text, isProblem) => {
    if (!status) return;
    status.textContent = text;
    status.classList.toggle("unsaved", Boolean(isProblem));
  };
  const typed = () => {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form))
      if (typeof value === "string") body.append(name, value);
    body.set("do", "auto");
    return String(body);
  };
  const takeOver = (facts) => {
    form.elements.revision.value = facts.revision;
    form.elements.ticket.value = facts.ticket;
    for (const [id, html] of Object.entries(facts.previews)) {
      const preview = document.querySelector(`.field:has(#${CSS.escape(id)}) .prose`);
      if (preview) preview.innerHTML = html; // made from Markdown on the server, HTML escaped
    }
  };
  const time = () => new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

  const why = {
    401: "You are logged out. Log in again in another tab; what you typed is kept here.",
    413: "Not saved: this is too long to send. Please shorten it.",
  };
  const refuse = async (answer) => {
    const isJson = (answer.headers.get("content-type") || "").includes("json");
    const problem = isJson ? (await answer.json()).problem : why[answer.status];
    isStopped = answer.status === 409 || answer.status === 400;
    say(problem || "Not saved: the server did not answer. We keep trying.", true);
    if (!isStopped && answer.status !== 413) saveIn(RETRY_MS);
  };
  const send = async () => {
    const body = unanswered || typed();
    unanswered = body;
    const keepalive = body.length < 6e4; // more than that, browsers refuse
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await fetch(form.getAttribute("action"), {
      method: "POST",
      body,
      headers,
      keepalive,
    });
    unanswered = null;
    if (!answer.ok || answer.redirected) return refuse(answer);
    takeOver(await answer.json());
    const stored = new URLSearchParams(body);
    const present = new URLSearchParams(typed());
    for (const name of ["revision", "ticket"]) stored.set(name, present.get(name));
    isDirty = String(stored) !== String(present);
    if (isDirty) return saveIn(0);
    say(`Draft saved at ${time()}.`);
  };
  const save = () => {
    clearTimeout(timer);
    if (!isDirty || isStopped || isSent || flying) return flying;
    say("Saving…");
    flying = send()
      .catch(() => {
        say("Not saved: not connected. We keep trying; what you typed is kept here.", true);
        saveIn(RETRY_MS);
      })
      .finally(() => {
        flying = null;
      });
    return flying;
  };
  function saveIn(ms) {
    clearTimeout(timer);
    timer = setTimeout(() => (flying ? saveIn(PAUSE_MS) : save()), ms);
  }

  form.addEventListener("input", () => {
    isDirty = true;
    if (!saves || isStopped) return;
    say("Not saved yet.");
    saveIn(PAUSE_MS);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && saves) save();
  });
  window.addEventListener("beforeunload", (event) => {
    if (isDirty && !isSent) event.preventDefault();
  });
  /* The form waits for a save under way: its own revision would be older. */
  window.addEventListener(
    "submit",
    (event) => {
      if (event.target !== form) return;
      clearTimeout(timer);
      if (flying) {
        event.preventDefault();
        event.stopPropagation();
        const { submitter } = event;
        flying.finally(() => form.requestSubmit(submitter));
        return;
      }
      isSent = true;
    },
    true,
  );
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) isSent = false;
  });
})();
