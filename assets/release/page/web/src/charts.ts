// Distributions as small multiples: a bar for this release, a mark for the published figure, on one scale a chart.

import type { Distribution, Overview, Reached } from "./data";
import { el, foreign, section, words } from "./dom";

function figure(value: number, unit: string): string {
  if (unit === "share") return `${(value * 100).toFixed(value > 0 && value < 0.095 ? 1 : 0)} %`;
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}

const highest = (all: Distribution[]) => Math.max(...all.flatMap((one) => one.bars.flatMap(([, here, published]) => [here, published ?? 0])), 1e-9);

// Shares are drawn to one scale in all charts; figures of other units each to their own.
function chart(of: Distribution, family: string, shares: number): HTMLElement {
  const most = of.unit === "share" ? shares : highest([of]);
  const rows = of.bars.map(([label, here, published]) => {
    const bar = el("span", { class: "bar" });
    bar.style.width = `${(100 * here) / most}%`;
    const track = el("div", { class: "track" }, bar);
    if (published !== null) {
      const mark = el("span", { class: "published" });
      mark.style.left = `${(100 * published) / most}%`;
      track.append(mark);
    }
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, foreign(label)),
      el("td", { class: "drawn", "aria-hidden": "true" }, track),
      el("td", { class: "number" }, figure(here, of.unit)),
      el("td", { class: "number soft" }, published === null ? "" : figure(published, of.unit)),
    );
  });
  const unit = of.unit === "share" ? "share of tasks" : `number for ${of.unit}`;
  return el(
    "figure",
    { class: "chart" },
    el("figcaption", {}, el("strong", {}, of.title), el("span", { class: "small" }, [family, unit].filter(Boolean).join(" · "))),
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el("tr", {}, el("th", {}, el("span", { class: "unseen" }, "Value")), el("td", {}), el("th", {}, "here"), el("th", {}, of.from ? "published" : "")),
      ),
      el("tbody", {}, ...rows),
    ),
    of.from ? el("p", { class: "small" }, `Published: ${of.from}.`) : null,
  );
}

export function charts(of: Overview): HTMLElement | null {
  if (!of.distributions.length) return null;
  const isSeveral = of.releases.length > 1;
  const shares = highest(of.distributions.filter((one) => one.unit === "share"));
  return section(
    "distributions",
    "How the set is made up",
    "What the tasks ask for, beside what was published. Where a city cannot offer what was drawn, something it has was asked for instead, and a bar moves away from its mark.",
    el("p", { class: "key" }, el("span", {}, el("i", { class: "kept" }), "this release"), el("span", {}, el("i", { class: "mark" }), "as published")),
    el("div", { class: "charts" }, ...of.distributions.map((one) => chart(one, isSeveral ? (of.releases[one.release]?.family_title ?? "") : "", shares))),
  );
}

function value(of: unknown): string {
  return typeof of === "number" ? of.toLocaleString("en", { maximumFractionDigits: 3 }) : of === null || of === undefined ? "not measured" : String(of);
}

function reached(rows: Reached[], title: string): HTMLElement | null {
  if (!rows.length) return null;
  const whole = (share: number) => `${Math.round(100 * share)} %`;
  const range = (row: Reached) => (row.percent_low === null || row.percent_high === null ? "" : ` (${row.percent_low.toFixed(0)} to ${row.percent_high.toFixed(0)})`);
  return el(
    "figure",
    { class: "chart" },
    el("figcaption", {}, el("strong", {}, title), " the reference planners"),
    el("div", { class: "wide" }, el(
      "table",
      {},
      el("thead", {}, el("tr", {}, el("th", {}, "planner"), el("th", {}, "level"), el("th", {}, "tasks"), el("th", {}, "percent (95 %)"), el("th", {}, "solved (95 %)"))),
      el(
        "tbody",
        {},
        ...rows.map((row) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, row.planner),
            el("td", {}, row.level || "all"),
            el("td", { class: "number" }, String(row.tasks)),
            el("td", { class: "number" }, row.percent.toFixed(1) + range(row)),
            el("td", { class: "number" }, `${whole(row.solved)} (${whole(row.solved_low)} to ${whole(row.solved_high)})`),
          ),
        ),
      ),
    )),
  );
}

// What a simple planner reaches beside the witnesses: how much room a set leaves.
export function difficulty(of: Overview): HTMLElement | null {
  if (![...of.difficulty, ...of.planners].some((rows) => rows.length)) return null;
  const tables = of.difficulty.map((rows, number) =>
    rows.length
      ? el(
          "figure",
          { class: "chart" },
          el("figcaption", {}, el("strong", {}, of.releases[number]?.family_title ?? "")),
          el(
            "table",
            {},
            el("thead", {}, el("tr", {}, el("th", {}, el("span", { class: "unseen" }, "Metric")), el("th", {}, "baseline"), el("th", {}, "witness"))),
            el("tbody", {}, ...rows.map((row) => el("tr", {}, el("th", { scope: "row" }, words(row.metric)), el("td", { class: "number" }, value(row.baseline)), el("td", { class: "number" }, value(row.witness))))),
          ),
        )
      : null,
  );
  return section(
    "difficulty",
    "How hard it is",
    "The published metrics of a simple greedy planner, beside those of the certified plans. What lies between is what a planner can gain. Below them the planners that this project runs on every release: by lot, greedy, careful by the request and the tools alone, and the certified plans.",
    el("div", { class: "charts" }, ...tables, ...of.planners.map((rows, number) => reached(rows, of.releases[number]?.family_title ?? ""))),
  );
}
