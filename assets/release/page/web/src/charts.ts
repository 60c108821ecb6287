// Distributions as small multiples: a bar for this release, a mark for the published figure, on one scale a chart.

import type { Distribution, Measured, Overview, Reached } from "./data";
import { count, el, foreign, plural, section, words } from "./dom";

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

function value(of: unknown, unit: string): string {
  if (typeof of !== "number") return of === null || of === undefined ? "not measured" : String(of);
  const told = of.toLocaleString("en", { maximumFractionDigits: unit === "%" ? 1 : 3 });
  return unit === "%" ? `${told} %` : told;
}

const GOOD: Record<string, string> = { higher: "more is better", lower: "less is better" };

// The published metrics in words, of the greedy planner and of the certified plans.
function measured(rows: Measured[], title: string): HTMLElement | null {
  if (!rows.length) return null;
  return el(
    "figure",
    { class: "chart" },
    el("figcaption", {}, el("strong", {}, title), el("span", { class: "small" }, "published metrics")),
    el(
      "table",
      { class: "ruled by-words" },
      el("thead", {}, el("tr", {}, el("th", {}, el("span", { class: "unseen" }, "Metric")), el("th", {}, "greedy planner"), el("th", {}, "certified plans"))),
      el(
        "tbody",
        {},
        ...rows.map((row) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, row.says ? sentence(row.says) : words(row.metric), row.says ? el("span", { class: "small" }, [row.metric, row.unit === "%" ? "" : row.unit, GOOD[row.better]].filter(Boolean).join(" · ")) : null),
            el("td", { class: "number", "data-of": "greedy planner" }, value(row.baseline, row.unit)),
            el("td", { class: "number", "data-of": "certified plans" }, value(row.witness, row.unit)),
          ),
        ),
      ),
    ),
  );
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// What each reference planner reaches. Where all tasks are of one level, that level says nothing more than all of them.
function reached(rows: Reached[], title: string, tasks: number): HTMLElement | null {
  if (!rows.length) return null;
  const whole = (share: number) => `${Math.round(100 * share)} %`;
  const range = (row: Reached) => (row.percent_low === null || row.percent_high === null ? "" : ` (${row.percent_low.toFixed(0)} to ${row.percent_high.toFixed(0)})`);
  const isLevelled = new Set(rows.map((row) => row.level).filter(Boolean)).size > 1;
  const shown = isLevelled ? rows : rows.filter((row) => !row.level);
  const played = Math.max(...rows.map((row) => row.tasks));
  const isNew = (at: number) => shown[at]?.planner !== shown[at - 1]?.planner;
  return el(
    "figure",
    { class: "chart" },
    el("figcaption", {}, el("strong", {}, title), el("span", { class: "small" }, `reference planners on ${played === tasks ? "all" : `${count(played)} of`} ${plural(tasks, "task")}, with intervals of 95 %`)),
    el(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": `${title}, reference planners` },
      el(
        "table",
        { class: "ruled" },
        el(
          "thead",
          {},
          el("tr", {}, el("th", {}, el("span", { class: "unseen" }, "Planner")), isLevelled && el("th", {}, "level"), el("th", {}, "tasks"), el("th", {}, "grade of 100"), el("th", {}, "tasks solved")),
        ),
        el(
          "tbody",
          {},
          ...shown.map((row, at) =>
            el(
              "tr",
              { class: isNew(at) ? "" : "same" },
              el("th", { scope: "row" }, el("span", { class: isNew(at) ? "" : "unseen" }, row.planner)),
              isLevelled && el("td", { class: "number" }, row.level || "all"),
              el("td", { class: "number" }, String(row.tasks)),
              el("td", { class: "number" }, row.percent.toFixed(1), el("span", { class: "range" }, range(row))),
              el("td", { class: "number" }, whole(row.solved), el("span", { class: "range" }, ` (${Math.round(100 * row.solved_low)} to ${Math.round(100 * row.solved_high)})`)),
            ),
          ),
        ),
      ),
    ),
    el("p", { class: "small" }, "random draws by lot; greedy looks a step ahead and never back; careful knows the request and the tools alone; witness is the certified plan."),
  );
}

// What simple planners reach beside the witnesses: how much room a set leaves.
export function difficulty(of: Overview): HTMLElement | null {
  if (![...of.difficulty, ...of.planners].some((rows) => rows.length)) return null;
  const title = (number: number) => of.releases[number]?.family_title ?? "";
  return section(
    "difficulty",
    "How hard it is",
    "What simple planners reach beside the certified plans. What lies between is what a planner can gain.",
    el("div", { class: "measures" }, ...of.difficulty.flatMap((rows, number) => [measured(rows, title(number)), reached(of.planners[number] ?? [], title(number), of.releases[number]?.counts.tasks ?? 0)])),
  );
}
