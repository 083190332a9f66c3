// Asks the server: /parse for graphs, /find for what a pattern matches in them.

export async function ask(path, question, signal) {
  let response;
  try {
    response = await fetch(path, {
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
  return answer;
}

// What was typed, as the object that /parse takes.
function typed(text, split) {
  if (!text.trim()) throw new Error("Type a sentence first.");
  if (!text.trimStart().startsWith("{")) return { sentence: text, split };
  try {
    return JSON.parse(text);
  } catch (problem) {
    throw new Error(`This begins like a JSON object, but it is none: ${problem.message}`);
  }
}

// For each sentence its graphs, those of the first beam first. A beam is a number, or null for the
// server's choice, which `automatic` is.
export async function parse({ text, split, nBest, beams, automatic }, width, signal) {
  const question = { ...typed(text, split), n_best: nBest, width, include: ["svg", "sdp"] };
  const answers = await Promise.all(beams.map((beam) => ask("parse", { ...question, beam }, signal)));
  const bySentence = answers.map((answer) => answer.graphs ?? [answer]);
  return bySentence[0].map((_, place) =>
    bySentence.flatMap((graphs, number) => graphsOf(graphs[place], beams[number] ?? automatic)),
  );
}

// The graphs of an answer, each by itself, with its drawing and .sdp apart.
function graphsOf(answer, beam) {
  const { n_best, svg, sdp, hint, ...best } = answer;
  const alternatives = n_best ?? [{ svg, sdp }];
  return alternatives.map(({ svg, sdp, ...graph }, rank) => {
    const which = alternatives.length > 1 ? `Graph ${rank + 1} of ${alternatives.length}` : "Graph";
    return { name: `${which}, beam ${beam}`, graph: { ...best, ...graph }, svg, sdp };
  });
}
