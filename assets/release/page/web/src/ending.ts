// The end of the page: licences, the choices that the publications leave open, and what changed since the last release.

import { changes } from "./changes";
import type { Licence, Overview } from "./data";
import { el, foreign, listed, section, words } from "./dom";

const SHARING: Record<string, string> = {
  rows: "Rows may be shared",
  derived: "Only values derived from the rows may be shared",
  nothing: "Nothing may be shared without permission",
};

function licence(of: Licence, titles: Map<string, string>): HTMLElement {
  return el(
    "li",
    {},
    el("h3", {}, of.title),
    el("p", { class: "small" }, el("code", {}, of.licence_id), ` for ${listed(of.sources.map((name) => titles.get(name) ?? name))}`),
    el("p", {}, `${SHARING[of.sharing] ?? of.sharing}${of.share_alike ? ", under the same terms" : ""}.`),
    ...of.attribution.map((who) => el("p", { class: "small" }, foreign(who))),
  );
}

export function ending(of: Overview): HTMLElement[] {
  const titles = new Map(of.flow.sources.map((source) => [source.name, source.title]));
  const isSeveral = of.releases.length > 1;
  const choices = of.releases.map((release) =>
    el(
      "div",
      {},
      isSeveral ? el("h3", {}, release.family_title) : null,
      el("dl", { class: "pairs" }, ...release.choices.flatMap((choice) => [el("dt", {}, words(choice.choice_id)), el("dd", {}, choice.text)])),
    ),
  );
  return [
    section(
      "licences",
      "Licences",
      of.is_public
        ? "Every source lets its rows be passed on, under these terms."
        : "Not for redistribution: at least one source does not let its rows be passed on.",
      el("ul", { class: "licences" }, ...of.licences.map((one) => licence(one, titles))),
      el("details", { class: "choices" }, el("summary", {}, "Choices of ours, where the publications are silent"), ...choices),
    ),
    changes(of),
  ];
}
