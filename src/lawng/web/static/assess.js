// Keys for who reads an assessment, and what is selected as the snippet; everything works without it.
"use strict";
(() => {
  const form = document.querySelector("form.answer");
  const text = document.getElementById("text1");
  const steps = { ArrowRight: "next", j: "next", ArrowLeft: "prev", k: "prev" };
  let sent = false;
  let back = null;

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea") !== null;
    if (event.key === "Escape" && typing) text.focus();
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || typing) return;
    const rel = event.shiftKey ? undefined : steps[event.key];
    if (rel) document.querySelector(`a[rel=${rel}]`)?.click();
    if (!form) return;
    if (/^[1-6]$/.test(event.key)) form.querySelectorAll("button[name=choice]")[Number(event.key) - 1].click();
    else if (event.key === "?") keys();
    else if (event.key === " " && !event.shiftKey && !event.target.closest("button, summary")) {
      event.preventDefault();
      source();
    }
  });
  if (!form) return;

  form.addEventListener("submit", (event) => {
    const lacking = event.submitter?.hasAttribute("data-needs") && !form.elements.snippet.value.trim();
    if (lacking) {
      event.preventDefault();
      document.getElementById("problem").textContent = form.dataset.missing;
    } else if (sent) event.preventDefault(); // a second key before the next page is there
    else sent = true;
  });
  window.addEventListener("pageshow", () => {
    sent = false;
  });

  // What is selected in the premise is the snippet, as far as it is of the premise.
  document.addEventListener("selectionchange", (event) => {
    if (event.target !== document) return; // Firefox tells it of a field that is typed in, too
    const selection = document.getSelection();
    if (selection.isCollapsed) return;
    const range = selection.getRangeAt(0).cloneRange();
    if (!text.contains(range.startContainer)) return;
    if (!text.contains(range.endContainer)) range.setEnd(text, text.childNodes.length);
    const words = range.toString().trim();
    if (!words) return;
    form.elements.snippet.value = words;
    document.getElementById("problem").textContent = "";
  });

  const link = document.getElementById("source");
  const say = (line) => {
    document.getElementById("status").textContent = line;
  };
  function source() {
    const mark = document.getElementById("cited");
    if (!mark) say(link.textContent);
    else if (back === null) {
      back = [text.scrollTop, window.scrollY];
      text.classList.add("sought");
      text.scrollTop += mark.getBoundingClientRect().top - text.getBoundingClientRect().top - 12;
      text.scrollIntoView({ block: "nearest" });
      say("The cited pages are marked; space goes back.");
    } else {
      text.scrollTop = back[0];
      window.scrollTo(0, back[1]);
      back = null;
      text.classList.remove("sought");
      say("Back where you were.");
    }
  }
  link.addEventListener("click", (event) => {
    event.preventDefault();
    source();
  });
  function keys() {
    const shown = document.getElementById("keys");
    shown.open = !shown.open;
    if (shown.open) shown.scrollIntoView({ block: "nearest" });
  }
  text.focus({ preventScroll: true }); // so that the keys that scroll do
})();
