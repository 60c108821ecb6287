// What is known of a place: kind, facts, the record it came from, and the tasks whose plans go there.

import type { Overview } from "./data";
import { details, provenance } from "./data";
import { el, foreign, plural, sentence } from "./dom";
import { record } from "./origins";
import { address } from "./tasks";
import type { PlaceSpot } from "./cities";

const KIND: Record<string, string> = { transit: "Transit stop", restaurant: "Restaurant", attraction: "Attraction", stay: "Stay" };
const MOST_TASKS = 6;

export function card(of: Overview, spot: PlaceSpot, close: () => void): HTMLElement {
  const [name, , , id, facts = [], origins = []] = spot.place;
  const more = el("div", { class: "card-more" });
  void Promise.all([details(), provenance()]).then(([tasks, all]) => {
    const uses = of.tasks.filter((task) => tasks[task.release]?.[task.id]?.days.some((day) => day.stops.some((stop) => Boolean(id) && stop[6] === id && task.cities.includes(spot.cityId))));
    const refs = all.flatMap((one) => one.refs.filter((ref) => Boolean(id) && ref.values?.["place_id"] === id && ref.sources?.length).slice(0, 1).map((ref) => ({ one, ref })));
    const from = refs[0];
    more.replaceChildren(
      ...(from ? [el("details", {}, el("summary", {}, "Source record"), el("ul", { class: "records" }, ...(from.ref.sources ?? []).slice(0, 3).map((one) => record(from.one, one))))] : []),
      uses.length
        ? el("p", { class: "small" }, `In ${plural(uses.length, "plan")}: `, ...uses.slice(0, MOST_TASKS).flatMap((task, at) => [at ? ", " : "", el("a", { href: address(task.id) }, sentence(task.title))]), uses.length > MOST_TASKS ? " …" : "")
        : el("p", { class: "small" }, id ? "No plan shown here goes to it." : ""),
    );
  });
  return el(
    "div",
    { class: "card", role: "dialog", "aria-label": "Place" },
    el("button", { type: "button", class: "close", "aria-label": "Close", onclick: close }, "×"),
    el("p", { class: `kind-of ${spot.kind}` }, KIND[spot.kind] ?? spot.kind),
    el("h3", {}, foreign(name)),
    facts.length ? el("dl", { class: "facts" }, ...facts.flatMap(([term, value]) => [el("dt", {}, term), el("dd", {}, foreign(value))])) : null,
    origins.length ? el("p", { class: "small" }, "From ", ...origins.flatMap((one, at) => [at ? ", " : "", el("code", {}, foreign(one))])) : null,
    more,
  );
}
