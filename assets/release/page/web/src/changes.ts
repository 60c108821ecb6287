// What changed since the last release, from the few forms of Markdown that CHANGES.md is written in.

import type { Chapter, Overview } from "./data";
import { count, el, foreign, section } from "./dom";

// Text between backticks is code; all of it goes in as text.
function inline(text: string): Node[] {
  return text.split("`").map((piece, n) => (n % 2 ? el("code", {}, foreign(piece)) : foreign(piece)));
}

function cells(line: string): string[] {
  return line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim());
}

function table(lines: string[]): HTMLElement {
  const [head, , ...body] = lines;
  return el(
    "div",
    { class: "wide", tabindex: 0, role: "region", "aria-label": "Changed rows" },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...cells(head ?? "").map((cell) => el("th", {}, ...inline(cell))))),
      el("tbody", {}, ...body.map((line) => el("tr", {}, ...cells(line).map((cell) => el("td", {}, ...inline(cell)))))),
    ),
  );
}

function chapter(of: Chapter, isOpen: boolean): HTMLElement {
  const rows = of.lines.filter((line) => line.startsWith("|"));
  const blocks = of.lines
    .filter((line) => !line.startsWith("|"))
    .map((line) => {
      const depth = (/^ */.exec(line)?.[0].length ?? 0) / 2;
      const item = /^\s*- (.*)$/.exec(line);
      return item ? el("p", { class: depth ? "item inner" : "item" }, ...inline(item[1] ?? "")) : el("p", {}, ...inline(line));
    });
  const inside = [...blocks, rows.length ? table(rows) : "", of.more ? el("p", { class: "small" }, `and ${count(of.more)} more lines in record/CHANGES.md`) : ""];
  return of.title ? el("details", { open: isOpen }, el("summary", {}, foreign(of.title)), ...inside) : el("div", {}, ...inside);
}

export function changes(of: Overview): HTMLElement {
  const told = of.changes.map((chapters, number) => ({ chapters, family: of.releases[number]?.family_title ?? "" })).filter((one) => one.chapters.length);
  return section(
    "changes",
    "Since the last release",
    told.length ? "" : "There is no earlier release to compare with.",
    ...told.map((one) =>
      el("div", { class: "changes" }, of.releases.length > 1 ? el("h3", {}, one.family) : null, ...one.chapters.map((part) => chapter(part, part.title === "Why"))),
    ),
  );
}
