// A drawing of the server in the page. An arc between two rows has several pieces, which are one arc
// to the pointer, to the keyboard and to a screen reader.

const PARTS = new Set(["svg", "g", "path", "rect", "text", "title"]);

export function drawing(svg) {
  const bare = svg.replace(/<style>[^<]*<\/style>/, ""); // drawing.css is the same
  const image = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  const all = [image, ...image.querySelectorAll("*")];
  if (!all.every((part) => PARTS.has(part.localName))) throw new Error("This is no drawing of ours.");
  image.setAttribute("role", "group");
  image.setAttribute("aria-label", image.querySelector("title").textContent);
  image.querySelector("title").remove(); // or else it would be the tooltip of the whole drawing
  return document.importNode(image, true);
}

// The pieces of each arc, by "head dependent", in the order of the dependents.
export function arcsOf(image) {
  const arcs = new Map();
  const place = ({ dataset }) => Number(dataset.dependent) * 1e6 + Number(dataset.head);
  for (const piece of [...image.querySelectorAll(".sdp-arc")].sort((a, b) => place(a) - place(b))) {
    const key = `${piece.dataset.head} ${piece.dataset.dependent}`;
    arcs.set(key, [...(arcs.get(key) ?? []), piece]);
  }
  return arcs;
}

// The word at a position, from 1 on.
export const wordOf = (image, position) => image.querySelectorAll(".sdp-form")[position - 1].parentNode;

// Arcs and tops as "head dependent" -> label and probability.
export function edgesOf(graph) {
  const tops = graph.tops.map((top, n) => [`0 ${top}`, { label: "top", probability: graph.top_probabilities?.[n] }]);
  return new Map([...graph.arcs.map((arc) => [`${arc.head} ${arc.dependent}`, arc]), ...tops]);
}

export function showStrength(image, graph) {
  const edges = edgesOf(graph);
  for (const [key, pieces] of arcsOf(image)) {
    for (const piece of pieces) piece.style.setProperty("--strength", edges.get(key).probability ?? 1);
  }
}

// Hides the arcs below a probability, and returns how many there are.
export function hideWeak(image, graph, threshold) {
  const edges = edgesOf(graph);
  const firsts = [];
  let hidden = 0;
  for (const [key, pieces] of arcsOf(image)) {
    const isWeak = (edges.get(key).probability ?? 1) < threshold;
    for (const piece of pieces) piece.classList.toggle("weak", isWeak);
    if (isWeak) hidden += 1;
    else firsts.push(pieces[0]);
  }
  if (firsts.length) makeEntry(firsts[0], image);
  return hidden;
}

// Tab leads to one arc of a drawing; from there the arrow keys lead to the others.
function makeEntry(arc, image) {
  for (const other of image.querySelectorAll("[tabindex='0']")) other.setAttribute("tabindex", "-1");
  arc.setAttribute("tabindex", "0");
}

// What is said of an arc, where the pointer is or else the focus.
export function makeReachable(image, readout) {
  const [about, meaning] = readout.children;
  const nothing = { pieces: [], said: about.textContent, explained: "" };
  const arcs = [...arcsOf(image).values()].map((pieces) => {
    const [said, explained = ""] = pieces[0].querySelector("title").textContent.split("\n");
    return { pieces, said, explained };
  });
  let [lit, focused] = [nothing, nothing];
  const light = (arc) => {
    for (const piece of lit.pieces) piece.classList.remove("lit");
    for (const piece of arc.pieces) piece.classList.add("lit");
    lit = arc;
    [about.textContent, meaning.textContent] = [arc.said, arc.explained];
    readout.classList.toggle("lit", arc !== nothing);
  };
  arcs.forEach((arc, number) => {
    const [first, ...others] = arc.pieces;
    for (const piece of arc.pieces) {
      // Not mouseenter: that comes, too, when the page moves below a pointer that rests.
      piece.addEventListener("mousemove", () => arc === lit || light(arc));
      piece.addEventListener("mouseleave", () => light(focused));
      piece.addEventListener("click", () => first.focus({ preventScroll: true }));
    }
    for (const piece of others) piece.setAttribute("aria-hidden", "true");
    first.setAttribute("role", "img");
    first.setAttribute("aria-label", arc.said);
    if (arc.explained) first.setAttribute("aria-description", arc.explained);
    first.setAttribute("tabindex", "-1");
    first.addEventListener("focus", () => {
      makeEntry(first, image);
      light(focused = arc);
    });
    first.addEventListener("blur", () => light(focused = nothing));
    first.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      let next = number + step;
      while (arcs[next]?.pieces[0].classList.contains("weak")) next += step;
      if (!arcs[next]) return;
      event.preventDefault();
      arcs[next].pieces[0].focus();
    });
  });
}
