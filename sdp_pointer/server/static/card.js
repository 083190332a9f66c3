// A graph with its drawing, its buttons, and how it differs from the first graph of its sentence.

import { arcsOf, drawing, edgesOf, makeReachable, showStrength, wordOf } from "./drawing.js";
import { copy, nameOf, png, save } from "./saving.js";

const template = document.getElementById("card-template");

export function makeCard({ name, graph, svg, sdp }, first, tell) {
  const card = template.content.cloneNode(true).firstElementChild;
  const part = (selector) => card.querySelector(selector);
  part("h3").textContent = name;
  part(".score").textContent = `score ${graph.score.toFixed(4)}`;
  const image = drawing(svg);
  part(".drawing").append(image);
  showStrength(image, graph);
  makeReachable(image, part(".readout"));
  if (graph !== first) markDifferences(part(".differences"), image, graph, first);

  const json = `${JSON.stringify(graph)}\n`;
  const file = nameOf(graph);
  const copying = (what, text) => async () =>
    tell((await copy(text)) ? `${what} copied.` : "The browser refused to copy.");
  const saving = (suffix, type, content) => async () => {
    save(`${file}.${suffix}`, await content(), type);
    tell(`${file}.${suffix} saved.`);
  };
  const actions = {
    ".copy-json": copying("JSON", json.trimEnd()),
    ".copy-sdp": copying(".sdp", sdp),
    ".save-svg": saving("svg", "image/svg+xml", () => svg),
    ".save-png": saving("png", "image/png", () => png(svg)),
    ".save-json": saving("json", "application/json", () => json),
    ".save-sdp": saving("sdp", "text/plain", () => sdp),
  };
  for (const [button, action] of Object.entries(actions)) part(button).addEventListener("click", action);
  for (const button of [".copy-sdp", ".save-sdp"]) {
    part(button).disabled = !sdp;
    part(button).title = sdp ? "" : "A word of this sentence has no place in an .sdp file.";
  }
  return { element: card, image, graph };
}

function inWords(graph, [key, { label }]) {
  const [head, dependent] = key.split(" ").map((at) => graph.tokens[at - 1]?.form);
  return head === undefined ? `top ${dependent}` : `${head} -${label}-> ${dependent}`;
}

function markDifferences(note, image, graph, first) {
  const [mine, theirs] = [edgesOf(graph), edgesOf(first)];
  const only = (a, b) => [...a].filter(([key, { label }]) => b.get(key)?.label !== label);
  const [surplus, missing] = [only(mine, theirs), only(theirs, mine)];
  const arcs = arcsOf(image);
  for (const [key] of surplus) for (const piece of arcs.get(key)) piece.classList.add("differs");
  const list = (some) => some.map((edge) => inWords(graph, edge)).join(", ");
  const parts = [surplus.length && `only here: ${list(surplus)}`, missing.length && `not here: ${list(missing)}`];
  note.textContent = parts.filter(Boolean).join("; ") || "The same as the first.";
  note.hidden = false;
}

const MOST_MATCHES = 20;

// Marks in a card what a pattern has found there; without matches, what was marked is so no more.
export function showMatches({ element, image, graph }, matches) {
  for (const part of image.querySelectorAll(".found")) part.classList.remove("found");
  const arcs = arcsOf(image);
  for (const match of matches) {
    for (const position of match.positions) wordOf(image, position).classList.add("found");
    for (const { head, dependent } of match.arcs) {
      for (const piece of arcs.get(`${head} ${dependent}`)) piece.classList.add("found");
    }
  }
  const lines = matches.slice(0, MOST_MATCHES).map((match) => matchInWords(graph, match));
  if (matches.length > MOST_MATCHES) lines.push(`and ${matches.length - MOST_MATCHES} more`);
  const list = element.querySelector(".matches");
  list.replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  list.hidden = !matches.length;
}

function matchInWords(graph, { words, positions, arcs }) {
  const shown = new Map(positions.map((position) => [position, graph.tokens[position - 1].form]));
  for (const [name, { position, form }] of Object.entries(words)) shown.set(position, `${name}=${form}`);
  const joined = new Set(arcs.flatMap(({ head, dependent }) => [head, dependent]));
  const parts = arcs.map(({ head, dependent, label }) => `${shown.get(head)} -${label}-> ${shown.get(dependent)}`);
  return [...parts, ...positions.filter((at) => !joined.has(at)).map((at) => shown.get(at))].join(", ");
}
