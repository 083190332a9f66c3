// Graphs to the clipboard and to files.

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers keep the clipboard from pages that come over plain HTTP from another computer.
    return copyBySelection(text);
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

export function save(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// The id, or the first words, without what a file's name cannot have.
export function nameOf(graph) {
  const words = graph.tokens.slice(0, 6).map((token) => token.form).join(" ");
  const name = (graph.id || words).replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return name.slice(0, 60) || "graph";
}

// An SVG as a PNG of twice its size, in the colours of the screen.
export async function png(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
