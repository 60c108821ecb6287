// The head of the page: what this is, the certificate, and the figures that matter.

import { visitedCities, type Overview } from "./data";
import { count, el, foreign, listed, plural, sum, svg } from "./dom";

function seal(certified: number, tasks: number): HTMLElement {
  const isWhole = certified === tasks;
  const mark = svg(
    "svg",
    { viewBox: "0 0 48 48", "aria-hidden": "true" },
    svg("circle", { cx: 24, cy: 24, r: 21, class: "ring" }),
    svg("path", { d: isWhole ? "M14 25l7 7 14-16" : "M24 13v14M24 33v2", class: "tick" }),
  );
  const figure = el("strong", {}, `${count(certified)} of ${count(tasks)}`);
  return el("div", { class: isWhole ? "seal" : "seal partial" }, mark, el("div", {}, figure, el("span", {}, "certified solvable")));
}

export function head(of: Overview): HTMLElement {
  const tasks = sum(of.releases.map((release) => release.counts.tasks));
  const certified = sum(of.releases.map((release) => release.counts.certified));
  const rejected = sum(of.flow.stages.flatMap((stage) => stage.steps).flatMap((step) => Object.values(step.rejected)));
  const invented = of.flow.sources.filter((source) => source.is_invented).map((source) => source.title);
  const visited = visitedCities(of);
  const besides = visited.length < of.cities.length ? ` to visit, and ${count(of.cities.length - visited.length)} to set out from` : "";
  const facts: [number, string][] = [
    [visited.length, visited.length === 1 ? `city${besides}` : `cities${besides}`],
    [of.flow.sources.length, of.flow.sources.length === 1 ? "source" : "sources"],
    [rejected, "rows rejected, each with its reason"],
  ];
  return el(
    "section",
    { class: "hero", "aria-label": "Summary" },
    el("p", { class: "eyebrow" }, `${listed(of.releases.map((release) => release.family_title))} · recipe ${of.recipe}`),
    el("h1", {}, foreign(of.title)),
    el(
      "p",
      { class: "what" },
      `A travel-planning benchmark of ${plural(tasks, "task")}. Each ships with a plan that an independent checker accepted, `,
      "and each value leads back to the source record or the rule it came from.",
    ),
    el(
      "div",
      { class: "figures" },
      seal(certified, tasks),
      ...facts.map(([figure, noun]) => el("div", { class: "figure" }, el("strong", {}, count(figure)), el("span", {}, noun))),
    ),
    invented.length > 0 &&
      el(
        "p",
        { class: "notice" },
        el("strong", {}, "Invented data. "),
        `${invented.length === of.flow.sources.length ? "No row describes a" : `The rows of ${listed(invented.map((title) => `“${title}”`))} describe no`} real place, person or price.`,
      ),
    ...of.missing.map((one) =>
      el("p", { class: "notice bad" }, el("strong", {}, "Missing. "), `${one.city_id} was blocked at ${one.step}: `, foreign(one.reason)),
    ),
  );
}
