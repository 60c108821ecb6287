// Where each value of a task comes from, as a tree: value, then row or rule, then the source's own record.

import type { Listed, Provenance, Ref } from "./data";
import { provenance } from "./data";
import { el, foreign, listed, words } from "./dom";

// The parts of a task, as lineage names them, in the order of the tree.
const PARTS: Record<string, string> = {
  query: "Wording",
  messages: "Opening messages",
  record: "What it asks",
  repairs: "Drawn otherwise",
  drawn: "How it was drawn",
  plan: "Witness plan",
  proof: "Proof and measures",
  checks: "Verdicts",
};

function readable(field: string): string {
  const steps = field.split("/").slice(1);
  if (!steps.length) return "all of it";
  return steps.map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : step.replace(/_/g, " "))).join(" › ");
}

export function record(of: Provenance, [file, locator, raw]: [number, string, string | null]): HTMLElement {
  const from = of.files[file];
  if (!from) return el("li", {}, "a file that the release does not name");
  return el(
    "li",
    {},
    el("p", {}, el("strong", {}, `${from.source}.${from.role}`), " ", foreign(from.location), " at ", el("code", {}, foreign(locator))),
    el("p", { class: "small" }, `sha256 ${from.sha256.slice(0, 16)}… · ${from.licence}${from.retrieved_at ? ` · retrieved ${from.retrieved_at.slice(0, 10)}` : ""}`),
    raw === null
      ? el("p", { class: "small" }, "The record itself is not shown here: its licence or its absence forbids it. `tripwright audit TASK_ID` shows it where the raw file is.")
      : el("pre", {}, foreign(raw)),
  );
}

function origin(of: Provenance, ref: Ref): HTMLElement {
  if (ref.kind === "rule") return el("li", {}, el("span", { class: "kind" }, "rule"), el("code", {}, ref.ref), el("p", { class: "small" }, of.rules[ref.ref] ?? ""));
  if (ref.kind !== "row" || !ref.values) return el("li", {}, el("span", { class: "kind" }, ref.kind), el("code", {}, foreign(ref.ref)));
  const inside = el("details", {}, el("summary", {}, el("span", { class: "kind" }, "row"), foreign(ref.values["name"] ?? ref.ref)));
  inside.addEventListener("toggle", () => {
    if (inside.childElementCount > 1) return;
    inside.append(
      el("p", { class: "small" }, el("code", {}, foreign(ref.ref))),
      el("dl", { class: "values" }, ...Object.entries(ref.values ?? {}).flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, foreign(value))])),
      el("ul", { class: "records" }, ...(ref.sources ?? []).map((one) => record(of, one))),
      ref.more ? el("p", { class: "small" }, `and ${ref.more} more source records, which \`tripwright audit TASK_ID\` shows`) : "",
    );
  });
  return el("li", {}, inside);
}

// Fields that come from the same are told together.
function together(fields: Map<string, number[]>): [string[], number[]][] {
  const found = new Map<string, [string[], number[]]>();
  for (const [field, refs] of fields) {
    const group = found.get(refs.join()) ?? [[], refs];
    group[0].push(field);
    found.set(refs.join(), group);
  }
  return [...found.values()];
}

function tree(of: Provenance, id: string): HTMLElement {
  const flat = of.tasks[id] ?? [];
  const parts = new Map<string, Map<string, number[]>>();
  for (let at = 0; at < flat.length; at += 2) {
    const field = of.fields[flat[at] ?? -1];
    const ref = flat[at + 1];
    if (field === undefined || ref === undefined) continue;
    const column = field.split("/")[0] ?? "";
    const part = PARTS[column] ?? words(column);
    const fields = parts.get(part) ?? new Map<string, number[]>();
    fields.set(field, [...(fields.get(field) ?? []), ref]);
    parts.set(part, fields);
  }
  const order = Object.values(PARTS);
  const sorted = [...parts].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const branches = sorted.map(([part, fields]) => {
    const inside = el("details", {}, el("summary", {}, part, el("span", { class: "soft" }, ` ${fields.size}`)));
    inside.addEventListener("toggle", () => {
      if (inside.childElementCount > 1) return;
      inside.append(
        el("ul", {}, ...together(fields).map(([found, refs]) => el("li", {}, el("span", { class: "path" }, foreign(listed(found.map(readable)))), el("ul", {}, ...refs.flatMap((ref) => of.refs[ref] ?? []).map((ref) => origin(of, ref)))))),
      );
    });
    return el("li", {}, inside);
  });
  return el("ul", { class: "tree" }, ...branches);
}

export function origins(task: Listed): HTMLElement {
  const holder = el("div", { class: "origins" }, el("h4", {}, "Where it comes from"));
  void provenance().then((all) => {
    const mine = all[task.release];
    holder.append(mine ? tree(mine, task.id) : el("p", {}, "The release has no lineage."));
  });
  return holder;
}
