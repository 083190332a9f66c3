// The page: asks /parse, shows the drawings that come back. Whatever somebody typed goes in as text
// or through the XML parser, never as HTML. Nothing here sets a field that a person can set.

const PARTS = new Set(["svg", "g", "path", "rect", "text", "title"]);

const byId = (id) => document.getElementById(id);
const [form, sentence, beam, nBest, otherBeam, error, status, results] = [
  "form", "sentence", "beam", "n-best", "other-beam", "error", "status", "results",
].map(byId);

// ---- asking ----

// What was typed, as the object that /parse takes.
function typed() {
  const text = sentence.value;
  if (!text.trim()) throw new Error("Type a sentence first.");
  if (!text.trimStart().startsWith("{")) return { sentence: text };
  try {
    return JSON.parse(text);
  } catch (problem) {
    throw new Error(`This begins like a JSON object, but it is none: ${problem.message}`);
  }
}

async function ask(question, signal) {
  let response;
  try {
    response = await fetch("parse", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
      signal,
    });
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The server failed (${response.status}).`);
  if (!answer.tokens) throw new Error("This page shows one sentence at a time.");
  return answer;
}

// The graphs of an answer, each by itself, with its drawing and .sdp apart.
function graphsOf(answer, beamSize) {
  const { n_best, svg, sdp, ...best } = answer;
  const alternatives = n_best ?? [{ svg, sdp }];
  return alternatives.map(({ svg, sdp, ...graph }, rank) => {
    const which = alternatives.length > 1 ? `Graph ${rank + 1} of ${alternatives.length}` : "Graph";
    return { name: `${which}, beam ${beamSize}`, graph: { ...best, ...graph }, svg, sdp };
  });
}

// What the server takes without a beam: the model's own, or a wider one for so many graphs.
const automaticBeam = () => Math.max(beam.dataset.own, nBest.value);

async function parse(signal) {
  const choice = { ...typed(), n_best: Number(nBest.value), include: ["svg", "sdp"] };
  const beams = [Number(beam.value) || null];
  if (otherBeam.value) beams.push(Number(otherBeam.value));
  const automatic = automaticBeam();
  const answers = await Promise.all(beams.map((size) => ask({ ...choice, beam: size }, signal)));
  return answers.flatMap((answer, number) => graphsOf(answer, beams[number] ?? automatic));
}

// ---- showing ----

function drawing(svg) {
  const bare = svg.replace(/<style>[^<]*<\/style>/, ""); // drawing.css is the same
  const image = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  const all = [image, ...image.querySelectorAll("*")];
  if (!all.every((part) => PARTS.has(part.localName))) throw new Error("This is no drawing of ours.");
  image.setAttribute("role", "group");
  image.setAttribute("aria-label", image.querySelector("title").textContent);
  image.querySelector("title").remove(); // or else it would be the tooltip of the whole drawing
  return document.importNode(image, true);
}

// The arcs of a drawing in the order of the words, each to be reached by the arrow keys.
function makeReachable(image, readout) {
  const place = (arc) => [Number(arc.dataset.dependent), Number(arc.dataset.head)];
  const arcs = [...image.querySelectorAll(".sdp-arc")].sort((one, two) => {
    const [[a, b], [c, d]] = [place(one), place(two)];
    return a - c || b - d;
  });
  const waiting = readout.textContent;
  arcs.forEach((arc, number) => {
    const about = arc.querySelector("title").textContent;
    const show = () => { readout.textContent = about; readout.classList.add("lit"); };
    const hide = () => { readout.textContent = waiting; readout.classList.remove("lit"); };
    arc.setAttribute("role", "img");
    arc.setAttribute("aria-label", about);
    arc.setAttribute("tabindex", number ? "-1" : "0");
    arc.addEventListener("mouseenter", show);
    arc.addEventListener("mouseleave", hide);
    arc.addEventListener("focus", show);
    arc.addEventListener("blur", hide);
    arc.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const next = arcs[number + step];
      if (!next) return;
      event.preventDefault();
      arc.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  });
}

// Arcs and tops as "head dependent" -> label.
function edges(graph) {
  const tops = graph.tops.map((top) => [`0 ${top}`, "top"]);
  return new Map([...graph.arcs.map((arc) => [`${arc.head} ${arc.dependent}`, arc.label]), ...tops]);
}

function inWords(graph, [key, label]) {
  const [head, dependent] = key.split(" ").map((at) => graph.tokens[at - 1]?.form);
  return head === undefined ? `top ${dependent}` : `${head} -${label}-> ${dependent}`;
}

// How a graph differs from the first one, in the drawing and in words.
function markDifferences(card, graph, first) {
  const [mine, theirs] = [edges(graph), edges(first)];
  const only = (a, b) => [...a].filter(([key, label]) => b.get(key) !== label);
  const [surplus, missing] = [only(mine, theirs), only(theirs, mine)];
  for (const [key] of surplus) {
    const [head, dependent] = key.split(" ");
    card.querySelector(`[data-head="${head}"][data-dependent="${dependent}"]`).classList.add("differs");
  }
  const list = (some) => some.map((edge) => inWords(graph, edge)).join(", ");
  const parts = [surplus.length && `only here: ${list(surplus)}`, missing.length && `not here: ${list(missing)}`];
  const note = card.querySelector(".differences");
  note.textContent = parts.filter(Boolean).join("; ") || "The same as the first.";
  note.hidden = false;
}

function makeCard({ name, graph, svg, sdp }, first) {
  const card = byId("card").content.cloneNode(true).firstElementChild;
  card.setAttribute("aria-label", name);
  card.querySelector("h2").textContent = name;
  card.querySelector(".score").textContent = `score ${graph.score.toFixed(4)}`;
  const holder = card.querySelector(".drawing");
  holder.append(drawing(svg));
  makeReachable(holder, card.querySelector(".readout"));
  if (graph !== first) markDifferences(card, graph, first);
  card.querySelector(".copy-json").addEventListener("click", () => copy("JSON", JSON.stringify(graph)));
  const copySdp = card.querySelector(".copy-sdp");
  copySdp.disabled = !sdp;
  copySdp.title = sdp ? "" : "A word of this sentence has no place in an .sdp file.";
  copySdp.addEventListener("click", () => copy(".sdp", sdp));
  return card;
}

// Cards stand side by side where the widest drawing has room, and below one another elsewhere.
function standSideBySide() {
  const widths = [...results.querySelectorAll("svg")].map((image) => image.width.baseVal.value);
  results.style.setProperty("--widest", `${Math.max(...widths)}px`);
}

async function copy(what, text) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = `${what} copied.`;
  } catch {
    // Browsers keep the clipboard from pages that come over plain HTTP from another computer.
    status.textContent = copyBySelection(text) ? `${what} copied.` : "The browser refused to copy.";
  }
}

function copyBySelection(text) {
  const box = document.createElement("textarea");
  box.value = text;
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}

function showGraphs(graphs) {
  const cards = graphs.map((each) => makeCard(each, graphs[0].graph));
  results.replaceChildren(...cards);
  standSideBySide();
  const arcs = graphs[0].graph.arcs.length;
  const all = cards.length > 1 ? `${cards.length} graphs, the first` : "One graph";
  status.textContent = `${all} with ${arcs} ${arcs === 1 ? "arc" : "arcs"}.`;
}

function showError(message) {
  results.replaceChildren();
  status.textContent = "";
  error.textContent = message;
  error.hidden = false;
}

// ---- the form ----

let asked = 0;
let asking = new AbortController();

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  asking.abort(); // A new question takes the place of one that still waits.
  asking = new AbortController();
  const [number, { signal }] = [++asked, asking];
  error.hidden = true;
  status.textContent = "Parsing …";
  results.setAttribute("aria-busy", "true");
  try {
    showGraphs(await parse(signal));
  } catch (problem) {
    if (signal.aborted) return;
    showError(problem.message);
  }
  results.removeAttribute("aria-busy");
  results.dataset.answered = number; // For programs: which question this is the answer to.
});

sentence.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});

// There are no more graphs than hypotheses: what does not go with the other choices is disabled.
function limitChoices() {
  beam.options[0].text = `${automaticBeam()} (automatic)`;
  const beams = [beam, otherBeam].filter((choice) => choice.value);
  const narrowest = Math.min(...beams.map((choice) => Number(choice.value)));
  for (const option of nBest.options) option.disabled = Number(option.value) > narrowest;
  for (const option of [...beam.options, ...otherBeam.options]) {
    option.disabled = option.value !== "" && Number(option.value) < Number(nBest.value);
  }
}
for (const choice of [beam, nBest, otherBeam]) choice.addEventListener("change", limitChoices);
window.addEventListener("pageshow", limitChoices); // By then a browser has restored earlier choices.
