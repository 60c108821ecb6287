// Every element with text of its own whose contrast to the nearest ground is under 4.5 to 1 (WCAG 2.2, 1.4.3).
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const linear = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const found = parse(getComputedStyle(at).backgroundColor);
      if (found[3] > 200) return found;
    }
    return parse("white");
  };
  const low = [];
  for (const node of document.querySelectorAll("main *, .bar *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own || !node.checkVisibility()) continue;
    const [dim, bright] = [light(parse(getComputedStyle(node).color)), light(ground(node))].sort((x, y) => x - y);
    const ratio = (bright + 0.05) / (dim + 0.05);
    if (ratio < 4.5) low.push(`${node.className || node.tagName} "${node.textContent.slice(0, 20)}" ${ratio.toFixed(2)}`);
  }
  return [...new Set(low)];
}
