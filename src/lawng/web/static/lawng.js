// Makes the page quicker to use; everything works without it.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");
  const box = document.getElementById("q");
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;
  const names = () => [...document.querySelectorAll("article.hit h3 a.to")];

  function step(by) {
    const links = names();
    if (links.length === 0) return;
    const article = document.activeElement.closest("article.hit");
    const here = article ? links.indexOf(article.querySelector("h3 a.to")) : by > 0 ? -1 : links.length;
    const next = links[Math.min(links.length - 1, Math.max(0, here + by))];
    next.focus();
    next.closest("article").scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closePickers(null);
    if (box && event.target === box && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      box.form.requestSubmit();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (event.key === "/" && box) {
      event.preventDefault();
      box.focus();
      box.select();
    } else if (event.key === "n") step(1);
    else if (event.key === "p") step(-1);
  });

  // A filter's list closes when one clicks elsewhere, and its summary says what is chosen.
  function closePickers(except) {
    for (const picker of document.querySelectorAll("details.picker[open]")) {
      if (picker === except) continue;
      const within = picker.contains(document.activeElement);
      picker.open = false;
      if (within) picker.querySelector("summary").focus();
    }
  }
  document.addEventListener("click", (event) => closePickers(event.target.closest("details.picker")));
  for (const picker of document.querySelectorAll("details.picker")) {
    picker.addEventListener("change", () => {
      const chosen = [...picker.querySelectorAll("input:checked")];
      const words = chosen.map((input) => input.parentElement.firstElementChild.nextSibling.textContent.trim());
      picker.querySelector(".chosen").textContent = words.join(", ") || "any";
    });
  }

  // Empty fields stay out of the address, and the button says that the search is under way.
  const form = document.querySelector("form.ask");
  if (form) {
    const button = form.querySelector("button");
    const label = button.textContent;
    const rest = () => {
      button.textContent = label;
      form.removeAttribute("aria-busy");
    };
    form.addEventListener("formdata", (event) => {
      for (const name of new Set(event.formData.keys())) {
        const given = event.formData.getAll(name).filter(Boolean);
        event.formData.delete(name);
        for (const value of given) event.formData.append(name, value);
      }
    });
    form.addEventListener("submit", () => {
      button.textContent = "Searching…";
      form.setAttribute("aria-busy", "true");
    });
    window.addEventListener("pageshow", rest);
    // the page stays where the search was stopped, or went to another tab
    for (const kind of ["input", "pointerdown"]) form.addEventListener(kind, rest);
  }
  if (box) {
    const fit = () => {
      box.rows = Math.min(12, Math.max(Number(box.dataset.rows), box.value.split("\n").length));
      while (box.scrollHeight > box.clientHeight + 2 && box.rows < 12) box.rows += 1;
    };
    box.dataset.rows = box.rows;
    box.addEventListener("input", fit);
    fit();
  }

  // Paper shows everything: what is folded is opened for printing, and folded again.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("main details.more:not([open])")];
    for (const one of folded) one.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const one of folded) one.open = false;
    folded = [];
  });
})();
