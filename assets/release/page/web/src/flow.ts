// What was built from what: sources, then stages of steps, each with the rows that it kept, merged and rejected.

import type { Overview, Source, Step } from "./data";
import { count, el, inWords, plural, section, sum, words } from "./dom";

const rejectedRows = (step: Step) => sum(Object.values(step.rejected));

function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let at = 0;
  let value = bytes;
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${value >= 100 || at === 0 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}

function named(name: string, figure: string): HTMLElement {
  return el("span", { class: "row" }, el("span", { class: "name" }, name), el("span", { class: "out" }, figure));
}

function sourceCard(source: Source): HTMLElement {
  const dates = [...new Set(source.retrieved_at.map((date) => date.slice(0, 10)))];
  const retrieved = dates.length ? `, retrieved ${dates.length > 1 ? `${dates[0]} to ${dates.at(-1)}` : dates[0]}` : "";
  return el(
    "li",
    { class: "step" },
    named(source.title, size(source.size_bytes)),
    el("p", { class: "small" }, `${plural(source.files, "file")}${retrieved}`),
    el("p", { class: "small" }, source.is_invented ? el("span", { class: "tag" }, "invented") : source.licences.join(", ")),
  );
}

function bar(step: Step): HTMLElement {
  const made = el("span", { class: "stack", "aria-hidden": "true" });
  for (const [kind, value] of [["kept", step.rows_out], ["merged", step.merged], ["rejected", rejectedRows(step)]] as const) {
    if (!value) continue;
    const piece = el("span", { class: kind });
    piece.style.flexGrow = String(value);
    made.append(piece);
  }
  return made;
}

function stepCard(step: Step, reasons: Record<string, string>): HTMLElement {
  const rejected = rejectedRows(step);
  const losses = Object.entries(step.rejected).sort((a, b) => b[1] - a[1]);
  const lost = [rejected ? `${count(rejected)} rejected` : "", step.merged ? `${count(step.merged)} merged` : ""].filter(Boolean).join(", ");
  const rowsIn = step.rows_in === null ? "Makes rows of its own" : `${count(step.rows_in)} rows in`;
  return el(
    "li",
    { class: "step" },
    el(
      "details",
      {},
      el("summary", {}, named(words(step.name), count(step.rows_out)), bar(step), lost ? el("span", { class: "small" }, lost) : null),
      el("p", {}, step.text),
      el("p", { class: "small" }, `${rowsIn}: ${count(step.rows_out)} out, ${count(step.merged)} merged, ${count(rejected)} rejected.`),
      losses.length > 0 &&
        el(
          "dl",
          { class: "reasons" },
          ...losses.flatMap(([reason, rows]) => [
            el("dt", {}, `${count(rows)} ${inWords(reason)}`),
            el("dd", {}, reasons[reason] ?? ""),
          ]),
        ),
    ),
  );
}

function stage(title: string, cards: HTMLElement[], note = ""): HTMLElement {
  return el("li", { class: "stage" }, el("h3", {}, title), el("ul", {}, ...cards), note ? el("p", { class: "small" }, note) : null);
}

export function flow(of: Overview): HTMLElement {
  const isEmpty = (step: Step) => !step.rows_out && !step.merged && !rejectedRows(step);
  const stages = of.flow.stages.map(({ name, steps }) => {
    const idle = steps.filter(isEmpty).map((step) => inWords(step.name));
    const cards = steps.filter((step) => !isEmpty(step)).map((step) => stepCard(step, of.flow.reasons));
    return stage(name, cards, idle.length ? `Nothing to do here for ${idle.join(", ")}.` : "");
  });
  const released = of.releases.map((release) =>
    el(
      "li",
      { class: "step" },
      named(release.family_title, plural(release.counts.tasks, "task")),
      el("p", { class: "small" }, el("code", {}, release.version), `, worded by ${release.engines["wording"] ?? "rules"}`),
      el("p", { class: "small" }, `${plural(release.files.length, "file")}, ${size(sum(release.files.map((file) => file[2])))}`),
    ),
  );
  return section(
    "flow",
    "What was built from what",
    "Each step with the rows it made. A row that went in came out, was merged, or was rejected for a named reason: open a step to read it.",
    el(
      "p",
      { class: "key" },
      el("span", {}, el("i", { class: "kept" }), "kept"),
      el("span", {}, el("i", { class: "merged" }), "merged into another row"),
      el("span", {}, el("i", { class: "rejected" }), "rejected"),
    ),
    el("ol", { class: "flow" }, stage("Sources", of.flow.sources.map(sourceCard)), ...stages, stage("Release", released)),
  );
}
