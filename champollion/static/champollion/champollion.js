/*
 * The little script that every page loads: focus after an answer, Copy buttons, and the words of the live region.
 * Every page works without it.
 */
(() => {
  "use strict";

  const say = (words) => {
    const status = document.getElementById("status");
    if (status && words) {
      status.textContent = words;
    }
  };

  /* What an answer put on the page takes the focus: the summary of errors, a banner, the next heading. */
  const takeFocus = (root) => {
    const target = root.querySelector("[data-takes-focus]");
    if (target) {
      target.focus({ preventScroll: false });
    }
  };

  /* Buttons that need script are hidden without it. */
  for (const button of document.querySelectorAll("[data-prints][hidden]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }

  const showCopyButtons = (root) => {
    if (!navigator.clipboard) {
      return;
    }
    for (const button of root.querySelectorAll("[data-copy][hidden]")) {
      button.hidden = false;
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) {
      return;
    }
    navigator.clipboard.writeText(button.dataset.copy).then(() => say(button.dataset.copied || button.textContent + " ✓"));
  });

  /* An open menu closes on Escape and gives the focus back to its opener. */
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") {
      return;
    }
    const open = event.target.closest("details.ch-drop[open], details.ch-menu[open]");
    if (open) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  });

  /* A select or box with data-sends sends its form at once; its button stays for those without script. */
  document.addEventListener("change", (event) => {
    const control = event.target.closest("[data-sends]");
    if (control && control.form) {
      control.form.requestSubmit();
    }
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    takeFocus(event.target);
    showCopyButtons(event.target);
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const words = event.target.querySelector("[data-says]");
    if (words) {
      say(words.dataset.says);
    }
  });

  document.addEventListener("DOMContentLoaded", () => {
    takeFocus(document);
    showCopyButtons(document);
  });
})();
