// Small helpers over pages that work without them: toasts, charts when seen, copy buttons, keyboard.
"use strict";
(() => {
  const say = (text) => {
    const toast = document.createElement("p");
    toast.className = "toast";
    toast.textContent = text;
    document.getElementById("toasts").append(toast);
    setTimeout(() => toast.remove(), 8000);
  };
  document.addEventListener("toast", (event) => say(event.detail.text));
  const unanswered = (event) => {
    const { stale, unsaved } = document.getElementById("toasts").dataset;
    const text = event.detail.requestConfig.verb === "get" ? stale : unsaved;
    if (![...document.querySelectorAll(".toast")].some((toast) => toast.textContent === text)) say(text);
  };
  document.addEventListener("htmx:sendError", unanswered);
  document.addEventListener("htmx:responseError", unanswered);

  // charts: the libraries load with the first chart that comes into view
  let libraries;
  const load = (url) => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
  const loadLibraries = () => {
    const urls = document.querySelector('meta[name="charts"]').content.split(" ");
    libraries ??= urls.reduce((before, url) => before.then(() => load(url)), Promise.resolve());
    return libraries;
  };
  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue(name).trim();
    const axis = { labelColor: value("--ink-soft"), titleColor: value("--ink-soft"), gridColor: value("--line"), domainColor: value("--line-strong"), tickColor: value("--line-strong") };
    return {
      background: "transparent", font: value("--font"), axis, legend: { labelColor: value("--ink"), titleColor: value("--ink-soft") },
      title: { color: value("--ink") }, view: { stroke: null }, mark: { color: value("--series-1") },
      range: { category: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => value(`--series-${number}`)), heatmap: { scheme: "viridis" } },
    };
  };
  const draw = async (figure) => {
    await loadLibraries();
    const specification = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
    const canvas = figure.querySelector(".chart-canvas");
    // stacked panels cannot follow their container by themselves
    for (const panel of specification.vconcat ?? []) if (panel.width === "container") panel.width = Math.max(canvas.clientWidth - 88, 180);
    await window.vegaEmbed(canvas, specification, { ast: true, actions: false, defaultStyle: false, renderer: "svg", config: colours(), tooltip: { disableDefaultStyle: true } });
  };
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((candidate) => candidate.isIntersecting)) {
      seen.unobserve(entry.target);
      draw(entry.target).catch(() => entry.target.querySelector("details").setAttribute("open", ""));
    }
  }, { rootMargin: "200px" });
  const watch = (root) => root.querySelectorAll("[data-chart]").forEach((figure) => seen.observe(figure));

  document.addEventListener("click", async (event) => {
    const copier = event.target.closest("[data-copy]");
    if (!copier) return;
    await navigator.clipboard.writeText(document.querySelector(copier.dataset.copy).textContent.trim());
    copier.textContent = copier.dataset.copied || "✓";
  });

  // an input of a derivation leads to the step that made it, where the page shows that step
  document.addEventListener("toggle", (event) => {
    for (const link of event.target.matches?.(".derivation") ? event.target.querySelectorAll('a[href^="#"]') : []) {
      if (!document.getElementById(decodeURIComponent(link.hash.slice(1)))) link.removeAttribute("href");
    }
  }, true);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    const target = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!target) return;
    link.closest("[popover]")?.hidePopover();
    for (let around = target; around; around = around.parentElement) if (around.tagName === "DETAILS") around.open = true;
    target.querySelector(":scope > details")?.setAttribute("open", "");
  });

  // a change in a form marked data-live submits it: the same as its button
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-live]");
    if (form) form.requestSubmit();
  });

  // a swapped fragment says its news in a region that stays, once; what was typed before a reload or a step back counts as typed again
  document.addEventListener("htmx:afterSettle", (event) => {
    const speaker = event.target.id && document.getElementById(event.target.id)?.closest("[data-says]");
    if (!speaker) return;
    const region = document.querySelector(speaker.dataset.says);
    const news = speaker.querySelector("[data-said]").textContent.trim();
    if (region.textContent !== news) region.textContent = news;
  });
  addEventListener("pageshow", () => setTimeout(() => {
    const restored = [...document.querySelectorAll("form[data-typed] :is(input, textarea, select)")].find((control) =>
      control.type === "checkbox" || control.type === "radio" ? control.checked !== control.defaultChecked
        : control.options ? [...control.options].some((option) => option.selected !== option.defaultSelected && option.value)
          : control.type !== "hidden" && control.type !== "file" && control.value !== control.defaultValue);
    restored?.dispatchEvent(new Event("input", { bubbles: true }));
  }));

  // a form that is on its way is not sent again: the next press would come too late or twice
  document.addEventListener("submit", (event) => {
    if (event.target.method !== "post" || event.defaultPrevented) return;
    if (event.target.dataset.sent) { event.preventDefault(); event.stopImmediatePropagation(); return; }
    event.target.dataset.sent = "yes";
    setTimeout(() => { delete event.target.dataset.sent; }, 3000);
  }, true);
  document.addEventListener("htmx:afterRequest", (event) => { delete event.target.dataset?.sent; });

  // a file dropped anywhere on a page goes to the page's field for it
  document.addEventListener("dragover", (event) => { if (document.querySelector("[data-drop]") && event.dataTransfer.types.includes("Files")) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    const box = document.querySelector("[data-drop]");
    if (!box || !event.dataTransfer.files.length || event.target.closest('input[type="file"]')) return;
    event.preventDefault();
    box.files = event.dataTransfer.files;
    for (let around = box; around; around = around.parentElement) if (around.tagName === "DETAILS") around.open = true;
    box.scrollIntoView({ block: "center" });
    box.focus();
  });

  // an answer written into a question's field takes back its "don't know"; a search box shortens the list it names
  document.addEventListener("input", (event) => {
    const unknown = event.target.closest(".question-field")?.querySelector('[name="unknown"]');
    if (unknown && event.target !== unknown && !event.target.dataset.filter) unknown.checked = false;
    if (!event.target.dataset.filter) return;
    const wanted = event.target.value.trim().toLowerCase();
    for (const entry of document.querySelectorAll(event.target.dataset.filter)) entry.hidden = !entry.textContent.toLowerCase().includes(wanted);
  });
  const offerFilters = (root) => root.querySelectorAll("[data-filter]").forEach((box) => { box.hidden = false; });

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") {
      const help = document.querySelector("[data-help]");
      if (help) location.assign(help.href);
    } else if (event.key === "/") {
      const search = document.querySelector("[data-search]");
      if (search) { event.preventDefault(); search.focus(); }
    } else if (event.key === "j" || event.key === "k") {
      const rows = [...document.querySelectorAll("tbody tr")].filter((row) => row.querySelector("a"));
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      const next = rows[event.key === "j" ? at + 1 : Math.max(at - 1, 0)];
      if (next) next.querySelector("a").focus();
    }
  });

  // a chart that nobody has seen is not drawn: paper shows its numbers instead
  addEventListener("beforeprint", () => document.querySelectorAll(".chart:has(.chart-canvas:empty) details").forEach((numbers) => { numbers.open = true; }));

  // on a narrow screen the steps of a project scroll sideways: the current one is in view
  const step = document.querySelector(".rail li [aria-current]");
  if (step) step.closest("ol").scrollLeft = step.offsetLeft - 16;

  watch(document);
  offerFilters(document);
  document.addEventListener("htmx:load", (event) => { watch(event.detail.elt); offerFilters(event.detail.elt); });
})();
