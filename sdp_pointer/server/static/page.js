// The page: what is typed and chosen becomes drawings. Whatever somebody typed goes in as text or
// through the XML parser, never as HTML. Fields are set from the address alone: when the page is as
// it came, and when a person goes to another address of it.

import { addressOf, areUntouched, fill } from "./address.js";
import { ask, parse } from "./asking.js";
import { makeCard, showMatches } from "./card.js";
import { hideWeak } from "./drawing.js";

const byId = (id) => document.getElementById(id);
const [form, sentence, beam, nBest, otherBeam, split] = [
  "form", "sentence", "beam", "n-best", "other-beam", "split",
].map(byId);
const [search, pattern, threshold, weak] = ["search", "find", "threshold", "weak"].map(byId);
const [error, status, found, results] = ["error", "status", "found", "results"].map(byId);
const fields = [...form.elements, ...search.elements].filter((field) => field.name);

// ---- showing ----

let cards = [];

const tell = (text) => { status.textContent = text; };

function showSentences(sentences) {
  cards = [];
  const articles = sentences.map((graphs, number) => {
    const article = byId("sentence-template").content.cloneNode(true).firstElementChild;
    const made = graphs.map((each) => makeCard(each, graphs[0].graph, tell));
    article.querySelector("h2").textContent = headline(graphs[0].graph, number, sentences.length);
    article.querySelector(".cards").append(...made.map((card) => card.element));
    cards.push(...made);
    return article;
  });
  results.replaceChildren(...articles);
  articles.forEach(standSideBySide);
  const [{ graph }] = sentences[0];
  const arcs = graph.arcs.length === 1 ? "1 arc" : `${graph.arcs.length} arcs`;
  if (sentences.length > 1) tell(`${sentences.length} sentences, ${cards.length} graphs.`);
  else tell(cards.length > 1 ? `${cards.length} graphs, the first with ${arcs}.` : `One graph with ${arcs}.`);
}

function headline(graph, number, all) {
  const text = graph.text ?? graph.tokens.map((token) => token.form).join(" ");
  return all > 1 ? `${number + 1}. ${text}` : text;
}

// Cards stand side by side where the widest drawing has room, and below one another elsewhere.
function standSideBySide(article) {
  const widths = [...article.querySelectorAll("svg")].map((image) => image.width.baseVal.value);
  article.style.setProperty("--widest", `${Math.max(...widths)}px`);
}

function showError(message) {
  cards = [];
  results.replaceChildren();
  searched += 1; // What is still looked for is not shown.
  for (const line of [status, found]) line.textContent = "";
  error.textContent = message;
  error.hidden = false;
}

// The pixels that a drawing may take: those of a card without its border and padding (page.css).
const room = () => results.clientWidth - 18;

function applyThreshold() {
  const least = Number(threshold.value);
  const hidden = cards.map(({ image, graph }) => hideWeak(image, graph, least));
  const sum = hidden.reduce((a, b) => a + b, 0);
  weak.textContent = least ? `${least.toFixed(2)}: ${sum} hidden` : "";
}

// ---- parsing ----

let question = null; // what was asked last
let asked = 0;
let asking = new AbortController();

// Asks, and shows the answer, with drawings as wide as there is room now.
async function show() {
  asking.abort(); // A new question takes the place of one that still waits.
  asking = new AbortController();
  const [{ signal }, number, width] = [asking, asked, room()];
  error.hidden = true;
  tell("Parsing …");
  results.setAttribute("aria-busy", "true");
  try {
    const sentences = await parse(question, Math.max(width, 1), signal);
    if (signal.aborted) return;
    showSentences(sentences);
    applyThreshold();
    find();
  } catch (problem) {
    if (signal.aborted) return;
    showError(problem.message);
  }
  results.removeAttribute("aria-busy");
  results.dataset.width = width; // For programs: for how much room the drawings are made,
  results.dataset.answered = number; // and which question this is the answer to.
}

function submit() {
  const automatic = automaticBeam();
  const beams = [Number(beam.value) || null, ...(otherBeam.value ? [Number(otherBeam.value)] : [])];
  question = { text: sentence.value, split: split.checked, nBest: Number(nBest.value), beams, automatic };
  asked += 1;
  show();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  keepAddress("pushState");
  submit();
});

sentence.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});

let settling;
window.addEventListener("resize", () => {
  clearTimeout(settling); // A window that is being resized asks once, when it has its size.
  settling = setTimeout(() => {
    if (cards.length && room() !== Number(results.dataset.width)) show();
  }, 150);
});

// ---- finding ----

let searched = 0;

async function find() {
  const [number, searchedIn, text] = [++searched, cards, pattern.value.trim()];
  delete found.dataset.pattern;
  const marked = searchedIn.map(() => []);
  let [said, isWrong] = ["", false];
  try {
    if (text && searchedIn.length) {
      const graphs = searchedIn.map((card) => card.graph);
      const { matches, notes } = await ask("find", { pattern: text, graphs });
      for (const match of matches) marked[match.line - 1].push(match);
      const counted = matches.length === 1 ? "1 match" : `${matches.length} matches`;
      said = [counted, ...notes].join("; ");
    }
  } catch (problem) {
    [said, isWrong] = [problem.message, true];
  }
  if (number !== searched) return;
  searchedIn.forEach((card, place) => showMatches(card, marked[place]));
  found.textContent = said;
  found.classList.toggle("wrong", isWrong);
  pattern.setAttribute("aria-invalid", isWrong);
  found.dataset.pattern = text; // For programs: of what the matches are marked.
}

search.addEventListener("submit", (event) => {
  event.preventDefault();
  keepAddress("replaceState");
  find();
});
threshold.addEventListener("input", applyThreshold);
threshold.addEventListener("change", () => keepAddress("replaceState"));

// ---- choices and the address ----

// What the server takes without a beam: the model's own, or a wider one for so many graphs.
const automaticBeam = () => Math.max(beam.dataset.own, nBest.value);

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

function keepAddress(how) {
  const address = addressOf(fields);
  if (address !== location.hash.slice(1)) history[how](null, "", address ? `#${address}` : location.pathname);
}

function goToAddress() {
  fill(fields, location.hash.slice(1));
  limitChoices();
  submit();
}
window.addEventListener("popstate", goToAddress);

// By then a browser has restored earlier choices.
window.addEventListener("pageshow", (event) => {
  if (areUntouched(fields)) fill(fields, location.hash.slice(1));
  limitChoices();
  if (!event.persisted && !asked && sentence.value.trim()) submit();
});
