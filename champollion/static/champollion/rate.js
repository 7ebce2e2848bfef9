/*
 * The rating page with script: keys, saving without leaving the page, and a queue that outlives a lost network, an ended
 * session and a closed tab. Without script the same page works by forms.
 *
 * Each act has a key of its own (a UUID), so that sending it twice counts once, and a sequence: milliseconds of this
 * device's clock, never lower than what is known, so that of two windows the later act wins. What is not acknowledged
 * stays in the queue. For public text the queue lies in localStorage; for secret text in sessionStorage, and words about
 * it in memory alone.
 */
(() => {
  "use strict";

  const root = document.querySelector("[data-rate], [data-rate-done]");
  if (!root) {
    return;
  }
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  const sentences = new Map(all("[data-words] > li").map((row) => [row.dataset.name, row.textContent]));
  const LAST_COUNTED = 40;
  const say = (name, count) =>
    sentences.get(count === undefined ? name : `${name}-${Math.min(count, LAST_COUNTED)}`) || "";
  const announce = (words) => {
    const status = find("#status");
    if (status && status.textContent !== words) {
      status.textContent = words;
    }
  };

  /* Save state, always in words ---------------------------------------------------------------- */

  const save = find("[data-save]");
  const signIn = find("[data-sign-in]");
  const SIGN_OF = { saved: "saved", queued: "queued", sending: "queued", refused: "refused" };
  let settling = 0;

  const showState = (state, words) => {
    clearTimeout(settling);
    signIn.hidden = true;
    save.hidden = false;
    save.dataset.state = state;
    find("[data-save-words]").textContent = words;
    for (const sign of all("[data-sign]", save)) {
      sign.hidden = sign.dataset.sign !== SIGN_OF[state];
    }
    announce(words);
  };
  const showSaved = () => {
    showState("saved", say("saved"));
    settling = setTimeout(() => showState("saved", say("all-saved")), 2000);
  };
  const showSignIn = (count) => {
    save.hidden = true;
    signIn.hidden = false;
    signIn.textContent = say("sign-in", count);
    announce(signIn.textContent);
  };

  /* The queue --------------------------------------------------------------------------------- */

  const isSecret = root.dataset.secret === "yes";
  const prefix = `ch-rate:${root.dataset.rater}:${root.dataset.campaign}:`;
  const drawer = () => {
    try {
      return isSecret ? window.sessionStorage : window.localStorage;
    } catch {
      return null; // storage is switched off: memory alone
    }
  };
  const queue = [];
  const withoutWords = (act) => ({ ...act, comment: "", suggestion: "", marks: [], note: "" });
  /* How many acts are not acknowledged yet, for whoever looks at the page from outside. */
  const showWaiting = () => (root.dataset.waiting = String(queue.length));
  const keep = (act) => {
    try {
      drawer()?.setItem(prefix + act.key, JSON.stringify(isSecret ? withoutWords(act) : act));
    } catch {
      /* full: memory still holds it */
    }
  };
  const drop = (act) => {
    const place = queue.indexOf(act);
    if (place >= 0) {
      queue.splice(place, 1);
    }
    showWaiting();
    try {
      drawer()?.removeItem(prefix + act.key);
    } catch {
      /* nothing to remove */
    }
  };
  const takeUp = () => {
    const store = drawer();
    const found = [];
    for (let place = 0; store && place < store.length; place += 1) {
      const name = store.key(place);
      if (name && name.startsWith(prefix)) {
        try {
          found.push(JSON.parse(store.getItem(name)));
        } catch {
          /* not ours */
        }
      }
    }
    queue.push(...found.filter((act) => act && act.key && act.item).sort((a, b) => a.sequence - b.sequence));
    showWaiting();
  };

  const token = () => {
    const name = `${root.dataset.csrf || "csrftoken"}=`;
    const cookie = document.cookie.split("; ").find((part) => part.startsWith(name));
    const field = find("[name=csrfmiddlewaretoken]");
    return cookie ? decodeURIComponent(cookie.slice(name.length)) : field ? field.value : "";
  };
  const post = (act) => {
    const body = JSON.stringify(act);
    return fetch(root.dataset.url, {
      method: "POST",
      credentials: "same-origin",
      redirect: "error",
      keepalive: body.length < 15000, // a request that outlives the page may hold 64 KB
      headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
      body,
    });
  };

  const WAITS = [1000, 2000, 5000, 15000, 30000];
  let isSending = false;
  let failures = 0;
  let retry = 0;

  const send = async () => {
    if (isSending || queue.length === 0) {
      return;
    }
    isSending = true;
    clearTimeout(retry);
    const waiting = queue.length;
    const slow = setTimeout(
      () => (failures || waiting > 1 ? showState("sending", say("sending", queue.length)) : showState("saving", say("saving"))),
      400,
    );
    let isClear = true;
    while (queue.length && isClear) {
      isClear = await sendOne(queue[0]);
    }
    clearTimeout(slow);
    isSending = false;
    if (queue.length === 0 && isClear) {
      failures = 0;
      hideStrip();
      if (refusedCount) {
        showState("refused", say("refused", refusedCount));
      } else if (wentElsewhere) {
        wentElsewhere = false;
        showState("saved", say("elsewhere"));
      } else {
        showSaved();
      }
    }
  };

  /* Send one act; false means: stop for now. */
  const sendOne = async (act) => {
    let response;
    try {
      response = await post(act);
    } catch {
      lost();
      return false;
    }
    const answer = await response.json().catch(() => null);
    if (response.ok && answer) {
      drop(act);
      acknowledged(act, answer);
      return true;
    }
    if (response.status === 401 || (response.status === 403 && !answer)) {
      showSignIn(queue.length);
      return false;
    }
    if (response.status === 429 || response.status >= 500 || !answer) {
      lost();
      return false;
    }
    drop(act);
    refused(act, answer);
    return true;
  };

  const lost = () => {
    showState("queued", say("kept", queue.length));
    showStrip();
    retry = setTimeout(send, WAITS[Math.min(failures, WAITS.length - 1)]);
    failures += 1;
  };

  const strip = find("[data-strip]");
  const showStrip = () => {
    if (strip && strip.hidden) {
      strip.textContent = say(isSecret ? "offline-secret" : "offline");
      strip.hidden = false;
    }
  };
  const hideStrip = () => {
    if (strip) {
      strip.hidden = true;
    }
  };

  let refusedCount = 0;
  let wentElsewhere = false;
  const refusedBox = find("[data-refused]");
  const refused = (act, answer) => {
    if (answer.code === "rating.nothing_to_undo") {
      return;
    }
    const written = [act.comment, act.suggestion, act.note].filter(Boolean).join("\n");
    refusedBox.hidden = false;
    find("[data-refused-words]").textContent = answer.message;
    const kept = find("[data-refused-kept]");
    kept.textContent = written;
    kept.hidden = !written;
    if (answer.code === "rating.lease_over" || answer.code === "rating.item_put_aside") {
      wentElsewhere = true;
      gone(act.item);
      return;
    }
    refusedCount += 1;
    showState("refused", say("refused", refusedCount));
    takenBack(act);
  };

  for (const moment of ["online", "focus", "pageshow"]) {
    window.addEventListener(moment, () => {
      failures = 0;
      send();
    });
  }
  document.addEventListener("visibilitychange", () => document.hidden || send());
  window.addEventListener("beforeunload", (event) => {
    const isLost = queue.some((act) => !drawer() || (isSecret && (act.comment || act.suggestion || act.note)));
    if (isLost) {
      event.preventDefault();
    }
  });

  /* Items of the block ------------------------------------------------------------------------ */

  const items = new Map();
  for (const template of all("template[data-item]")) {
    const d = template.dataset;
    items.set(d.item, {
      uid: d.item,
      template,
      number: Number(d.number),
      count: d.counted,
      status: d.status,
      grade: d.grade ? Number(d.grade) : null,
      sequence: Number(d.sequence),
      isLong: d.long === "yes",
      wasOpen: d.status === "held",
      reference: null,
      words: null,
    });
  }
  let current = items.get(root.dataset.current) || null;
  let acknowledged = (act, answer) => known(act, answer);
  let gone = () => {};
  let takenBack = () => {};

  const known = (act, answer) => {
    const item = items.get(act.item);
    if (item && typeof answer.sequence === "number") {
      item.sequence = Math.max(item.sequence, answer.sequence);
    }
    return item;
  };

  if (!find("[data-form]")) {
    takeUp();
    send();
    return; // the page that says that a block is done: it only sends what is left
  }

  const form = find("[data-form]");
  const stage = find("[data-stage]");
  const dock = find("[data-dock]");
  const inForm = (selector) => find(selector, form);
  const panel = (name) => find(`[data-panel="${name}"]`);

  /* Focused time: while the page is looked at and something was done in the last minute. */
  const IDLE = 60;
  let seconds = 0;
  let lastMove = Date.now();
  for (const move of ["keydown", "pointerdown", "pointermove", "scroll", "touchstart"]) {
    window.addEventListener(move, () => (lastMove = Date.now()), { passive: true });
  }
  setInterval(() => {
    if (!document.hidden && document.hasFocus() && Date.now() - lastMove < IDLE * 1000) {
      seconds += 1;
    }
  }, 1000);
  const takeSeconds = () => {
    const taken = Math.min(seconds, 300);
    seconds = 0;
    return taken;
  };

  const newKey = () => {
    if (window.crypto.randomUUID) {
      return window.crypto.randomUUID();
    }
    const bytes = window.crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  };

  const wordsNow = () => ({
    tags: all("[name=tag]:checked", form).map((box) => box.value),
    marks: all("[name=mark]:checked", form).map((box) => box.value.split("-").map(Number)),
    comment: inForm("[name=comment]").value,
    suggestion: inForm("[name=suggestion]").value,
  });
  const wordsShow = (words) => {
    for (const box of all("[name=tag]", form)) {
      box.checked = words.tags.includes(box.value);
    }
    const marked = new Set(words.marks.map((mark) => mark.join("-")));
    for (const box of all("[name=mark]", form)) {
      box.checked = marked.has(box.value);
    }
    inForm("[name=comment]").value = words.comment;
    inForm("[name=suggestion]").value = words.suggestion;
  };

  const enqueue = (act) => {
    queue.push(act);
    showWaiting();
    keep(act);
    if (isSending || failures) {
      showState("queued", say("kept", queue.length));
    }
    send();
  };
  const actOn = (item, act, more = {}) => {
    item.sequence = Math.max(Date.now(), item.sequence + 1);
    enqueue({
      act,
      item: item.uid,
      key: newKey(),
      sequence: item.sequence,
      focused_seconds: takeSeconds(),
      ...more,
    });
  };

  /* Showing an item --------------------------------------------------------------------------- */

  const isRated = (item) => item.status === "rated";
  let last = null;
  let advance = 0;
  const mayPin = dock.classList.contains("ch-dock-pinned") || !current.isLong;

  const fold = () => {
    const hasReference = !find("[data-reference]", stage).hidden;
    dock.classList.toggle("is-folded", isRated(current) && !current.isUnfolded && (hasReference || !panel("more").hidden));
    dock.classList.toggle("ch-dock-pinned", mayPin && !current.isLong && panel("more").hidden);
  };
  const showGrade = () => {
    for (const button of all("button.ch-grade", dock)) {
      button.setAttribute("aria-pressed", String(Number(button.value) === current.grade));
    }
    for (const chosen of all("[data-chosen]", dock)) {
      chosen.hidden = Number(chosen.dataset.chosen) !== current.grade;
    }
    find("[data-before]", stage).hidden = isRated(current) || !previous();
    find('[data-actions="fresh"]').hidden = isRated(current);
    find('[data-actions="rated"]').hidden = !isRated(current);
    find("[data-save-more]", form).value = current.grade || "";
    fold();
  };
  const showReference = () => {
    const box = find("[data-reference]", stage);
    if (current.reference !== null) {
      find(".ch-text-body", box).textContent = current.reference;
      box.hidden = false;
    }
  };
  const showSegments = () => {
    for (const segment of all("[data-segment]")) {
      const item = items.get(segment.dataset.segment);
      segment.dataset.state = item === current ? "now" : item.status === "held" ? "open" : "done";
    }
    find("[data-count]").textContent = current.count;
    const part = find("[data-part]");
    const more = [...items.values()].filter((item) => isRated(item) && item.wasOpen).length;
    part.textContent = part.dataset.sentence.replace("#", String(Number(part.dataset.mine) + more));
  };
  const closePanels = () => {
    for (const one of all("[data-panel]")) {
      one.hidden = true;
    }
    dock.hidden = false;
  };
  const show = (item, { focus = true } = {}) => {
    if (current && current !== item) {
      current.words = wordsNow();
    }
    current = item;
    stage.replaceChildren(item.template.content.cloneNode(true));
    if (item.words) {
      wordsShow(item.words);
    }
    for (const field of all("[data-item-field]")) {
      field.value = item.uid;
    }
    for (const note of all("#judge-note, #harm-note")) {
      note.value = "";
    }
    for (const choice of all("[name=reason]")) {
      choice.checked = false;
    }
    closePanels();
    item.isUnfolded = false;
    seconds = 0;
    showReference();
    showGrade();
    showSegments();
    setUpMarks();
    window.history.replaceState(null, "", root.dataset.next);
    if (focus) {
      window.scrollTo({ top: 0, behavior: "instant" });
      find("[data-heading]", stage).focus({ preventScroll: true });
    }
  };
  /* The item that was rated last, else the one before this in the block. */
  const previous = () => {
    if (last && last !== current && isRated(last)) {
      return last;
    }
    return [...items.values()].filter((item) => isRated(item) && item.number < current.number).pop() || null;
  };
  const nextOpen = () => {
    const open = [...items.values()].filter((item) => item.status === "held" && item !== current);
    return open.find((item) => item.number > current.number) || open[0] || null;
  };
  const goOn = () => {
    clearTimeout(advance);
    const next = nextOpen();
    if (next) {
      show(next);
    } else {
      leaveWhenSent();
    }
  };
  /* The end of the block: the server says what comes next, once it has everything. */
  const leaveWhenSent = async () => {
    await send();
    if (queue.length === 0) {
      window.location.assign(root.dataset.next);
    } else {
      leaving = true;
    }
  };
  let leaving = false;

  /* Acts -------------------------------------------------------------------------------------- */

  const tagNote = () => find("[data-tag-note]", stage);
  const contradicts = (grade, words) => grade === 1 && words.tags.includes("other_dialect_or_spelling");
  const rate = (grade) => {
    const words = wordsNow();
    if (contradicts(grade, words)) {
      tagNote().hidden = false;
      announce(tagNote().textContent);
      return;
    }
    tagNote().hidden = true;
    const isFirst = !isRated(current);
    current.earlier = { grade: current.grade, status: current.status };
    Object.assign(current, { grade, status: "rated", words });
    current.isUnfolded = false;
    showGrade();
    showSegments();
    actOn(current, "rate", { grade, ...words, wants_reference: true });
    if (isFirst) {
      last = current;
    }
  };
  const undo = () => {
    clearTimeout(advance);
    if (!isRated(current)) {
      if (previous()) {
        show(previous());
      }
      return;
    }
    const hadReference = current.reference !== null || !find("[data-reference]", stage).hidden;
    actOn(current, "undo", { grade: null, ...wordsNow() });
    if (!hadReference) {
      Object.assign(current, { grade: null, status: "held" });
    }
    panel("more").hidden = true;
    showGrade();
    showSegments();
    announce(say("undone"));
  };
  const putAside = (item, act, status, words, more) => {
    item.status = status;
    actOn(item, act, more);
    announce(say(words));
    goOn();
  };
  takenBack = (act) => {
    const item = items.get(act.item);
    if (item && item.earlier && act.act === "rate") {
      Object.assign(item, item.earlier);
      if (item === current) {
        showGrade();
        showSegments();
      }
    }
  };
  gone = (uid) => {
    const item = items.get(uid);
    if (item) {
      item.status = "expired";
      if (item === current) {
        goOn();
      }
    }
  };
  acknowledged = (act, answer) => {
    const item = known(act, answer);
    if (leaving && queue.length === 0) {
      window.location.assign(root.dataset.next);
      return;
    }
    if (!item || (act.act !== "rate" && act.act !== "undo")) {
      return;
    }
    const isNewest = !queue.some((waiting) => waiting.item === act.item);
    if (isNewest && answer.grade !== item.grade && (answer.is_current === false || act.act === "undo")) {
      item.grade = answer.grade;
      item.status = answer.grade === null ? "held" : "rated";
      if (answer.is_current === false) {
        announce(say("two-tabs"));
      }
    }
    if (typeof answer.reference === "string") {
      item.reference = answer.reference;
    }
    if (item === current) {
      showReference();
      showGrade();
      showSegments();
      if (act.act === "rate") {
        advanceSoon();
      }
    }
  };

  const advanceSoon = () => {
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const isReading = !panel("more").hidden || !find("[data-reference]", stage).hidden;
    if (option("auto") && !isStill && !isReading && isRated(current)) {
      clearTimeout(advance);
      advance = setTimeout(goOn, 800);
    }
  };

  /* Panels ------------------------------------------------------------------------------------ */

  let opener = null;
  const open = (name) => {
    clearTimeout(advance);
    if (name === "more" && !isRated(current)) {
      announce(say("choose-first"));
      return;
    }
    opener = document.activeElement;
    if (name !== "more") {
      closePanels();
      dock.hidden = true;
    }
    panel(name).hidden = false;
    fold();
    find(`#${name}-heading`).focus();
  };
  const close = () => {
    closePanels();
    fold();
    if (opener && opener.isConnected) {
      opener.focus();
    }
  };
  const saveMore = () => {
    if (isRated(current) && current.grade) {
      const words = wordsNow();
      if (contradicts(current.grade, words)) {
        tagNote().hidden = false;
        announce(tagNote().textContent);
        return;
      }
      tagNote().hidden = true;
      if (JSON.stringify(words) !== JSON.stringify(current.words)) {
        current.words = words;
        actOn(current, "rate", { grade: current.grade, ...words });
      }
    }
  };

  /* Marking by selection, for scripts without spaces. Places are code points. */
  const pointsBefore = (text, units) => [...text.slice(0, units)].length;
  const setUpMarks = () => {
    const button = find("[data-mark-selection]", stage);
    const words = all("[data-words-list] span", stage).map((word) => [...word.textContent].length);
    button.hidden = words.length > 2 && Math.max(...words) <= 20; // there are spaces between its words
  };
  const markSelection = () => {
    const body = find("[data-output] .ch-text-body", stage);
    const picked = window.getSelection();
    if (!picked || picked.isCollapsed || !body.contains(picked.anchorNode) || !body.contains(picked.focusNode)) {
      return;
    }
    const range = picked.getRangeAt(0);
    const before = document.createRange();
    before.selectNodeContents(body);
    before.setEnd(range.startContainer, range.startOffset);
    const start = pointsBefore(body.textContent, before.toString().length);
    const length = [...range.toString()].length;
    if (!length) {
      return;
    }
    const label = document.createElement("label");
    label.className = "ch-word-check";
    const box = document.createElement("input");
    box.type = "checkbox";
    box.name = "mark";
    box.value = `${start}-${start + length}`;
    box.checked = true;
    const words = document.createElement("span");
    words.textContent = range.toString();
    label.append(box, words);
    find("[data-words-list]", stage).append(label);
    picked.removeAllRanges();
    announce(say("marked"));
    saveMore();
  };

  /* Options, kept on this device -------------------------------------------------------------- */

  const option = (name) => {
    try {
      const value = window.localStorage.getItem(`ch-rate-option:${name}`);
      return value === null ? name === "keys" : value === "on";
    } catch {
      return name === "keys";
    }
  };
  for (const box of all("[data-option]")) {
    box.checked = option(box.dataset.option);
    box.addEventListener("change", () => {
      try {
        window.localStorage.setItem(`ch-rate-option:${box.dataset.option}`, box.checked ? "on" : "off");
      } catch {
        /* this visit only */
      }
      root.classList.toggle("ch-keys-on", option("keys"));
    });
  }
  root.classList.toggle("ch-keys-on", option("keys"));
  for (const row of all("[data-with-script]")) {
    row.hidden = false;
  }

  /* Clicks and keys --------------------------------------------------------------------------- */

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (button && button.name === "grade" && button.matches("[data-save-more]")) {
      saveMore();
      close();
    } else if (button && button.name === "grade") {
      rate(Number(button.value));
    } else if (button && button.dataset.act === "undo") {
      undo();
    } else if (button && button.dataset.act === "skip") {
      putAside(current, "skip", "skipped", "skipped");
    }
  });
  panel("cannot-judge").addEventListener("submit", (event) => {
    event.preventDefault();
    const values = new FormData(event.target);
    if (values.get("reason") === "other" && !String(values.get("note")).trim()) {
      find("#judge-note").focus();
      return;
    }
    putAside(current, "cannot_judge", "cannot_judge", "put-aside", {
      reason: values.get("reason"),
      note: values.get("note"),
    });
  });
  panel("harmful").addEventListener("submit", (event) => {
    event.preventDefault();
    const item = current;
    const note = String(new FormData(event.target).get("note"));
    if (isRated(item)) {
      actOn(item, "harmful", { note });
      announce(say("told"));
      goOn();
    } else {
      putAside(item, "harmful", "harmful", "told", { note });
    }
  });
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-opens], [data-closes], [data-goes-on], [data-change], [data-before], [data-go-on], [data-mark-selection]");
    if (!target) {
      return;
    }
    if (!target.matches("[data-go-on], [data-mark-selection]")) {
      event.preventDefault();
    }
    if (target.dataset.opens) {
      open(target.dataset.opens);
    } else if (target.matches("[data-closes]")) {
      close();
    } else if (target.matches("[data-goes-on]")) {
      goOn();
    } else if (target.matches("[data-before]")) {
      show(previous());
    } else if (target.matches("[data-change]")) {
      current.isUnfolded = true;
      dock.classList.remove("is-folded");
      find("button.ch-grade", dock).focus();
    } else if (target.matches("[data-go-on]")) {
      startOfWork(Date.now());
      find("[data-pause]").hidden = true;
    } else {
      markSelection();
    }
  });
  form.addEventListener("change", (event) => {
    if (event.target.closest("[data-panel=more]")) {
      saveMore();
    }
  });

  const isTyping = (element) =>
    element.closest("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])") !== null;
  const isControl = (element) => element.closest("a, button, summary, input, label") !== null;
  const KEYS = {
    u: undo,
    s: () => isRated(current) || putAside(current, "skip", "skipped", "skipped"),
    j: () => isRated(current) || open("cannot-judge"),
    t: () => open("more"),
    m: () => {
      open("more");
      const first = find("[name=mark]", stage);
      if (first && isRated(current)) {
        first.focus();
      }
    },
    h: () => open("harmful"),
    c: () => {
      const around = find("[data-context]", stage);
      if (around) {
        around.open = !around.open;
      }
    },
    "?": () => {
      find(".ch-rate-options").open = true;
      const list = find("[data-keys-list]");
      list.open = true;
      find("summary", list).focus();
    },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) {
      return;
    }
    if (event.key === "Escape" && all("[data-panel]").some((one) => !one.hidden)) {
      document.activeElement.blur(); // what was being written is saved before its panel is gone
      close();
      return;
    }
    if (isTyping(event.target) || !option("keys")) {
      return;
    }
    const isAside = dock.hidden;
    if (/^[1-4]$/.test(event.key) && !isAside) {
      event.preventDefault();
      rate(Number(event.key));
    } else if (event.key === "Enter" && !isAside && !isControl(event.target)) {
      event.preventDefault();
      if (isRated(current)) {
        goOn();
      } else {
        announce(say("choose-first"));
      }
    } else if (KEYS[event.key.toLowerCase()] && !isAside) {
      event.preventDefault();
      KEYS[event.key.toLowerCase()]();
    }
  });

  /* A pause is offered after 45 minutes. */
  const WORK = 45 * 60 * 1000;
  const startOfWork = (moment) => {
    try {
      if (moment) {
        window.sessionStorage.setItem("ch-rate-since", String(moment));
      }
      return Number(window.sessionStorage.getItem("ch-rate-since")) || 0;
    } catch {
      return 0;
    }
  };
  if (!startOfWork()) {
    startOfWork(Date.now());
  }
  setInterval(() => {
    if (startOfWork() && Date.now() - startOfWork() > WORK) {
      find("[data-pause]").hidden = false;
    }
  }, 30000);

  /* Start: what lies in the drawer is on its way, and its items show what was chosen. */
  takeUp();
  for (const act of queue) {
    const item = items.get(act.item);
    if (item && act.act === "rate") {
      Object.assign(item, { grade: act.grade, status: "rated", sequence: Math.max(item.sequence, act.sequence) });
    }
  }
  current.words = wordsNow();
  setUpMarks();
  if (isRated(current) && root.dataset.stays !== "yes" && nextOpen()) {
    show(nextOpen(), { focus: false });
  } else {
    showGrade();
    showSegments();
  }
  send();
})();
