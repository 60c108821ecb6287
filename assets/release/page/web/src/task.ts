// One task: its wording, what it asks, the witness day by day beside a map, what was measured, where values come from.

import type { City, Day, Detail, Listed, Overview, Stop } from "./data";
import { credit } from "./credit";
import { basemapOf, details, maps, middleOf } from "./data";
import { el, foreign, sentence, words } from "./dom";
import { ground, TownMap } from "./map";
import { origins } from "./origins";
import { colour } from "./theme";

const DAY_COLOURS = 7;
const UNIT_DEG = 1e-5;

interface Spot {
  number: number;
  at: [number, number];
  name: string;
  day: number;
}

export class TaskView {
  readonly element = el("article", { class: "task", "aria-label": "Task", tabindex: "-1" });
  private readonly town = new TownMap("Map of the witness plan. Arrow keys move it, plus and minus zoom.");
  private towns: City[] = [];
  private redraw = () => {};

  constructor(private readonly of: Overview) {
    document.addEventListener("themechange", () => this.redraw());
  }

  async show(task: Listed, isAsked: boolean): Promise<void> {
    const detail = (await details())[task.release]?.[task.id];
    if (!detail) return;
    const release = this.of.releases[task.release];
    this.towns = this.of.cities.filter((city) => task.cities.includes(city.city_id));
    const names = task.cities.map((id) => this.of.cities.find((city) => city.city_id === id)?.name ?? id);
    this.element.replaceChildren(
      el("a", { class: "back", href: "#tasks" }, "← All tasks"),
      el(
        "header",
        {},
        el("p", { class: "eyebrow" }, [release?.family_title, names.join(", ")].filter(Boolean).join(" · ")),
        el("h3", { class: "task-title" }, sentence(task.title)),
        el("p", { class: "small" }, el("code", {}, task.id), task.difficulty ? el("span", { class: `level ${task.difficulty}` }, task.difficulty) : null, task.split ? el("span", { class: "level" }, task.split) : null),
      ),
      el("blockquote", {}, sentence(task.query)),
      ...conversation(detail),
      this.witness(detail),
      asks(detail.asks),
      pairs("Drawn otherwise", detail.repairs ?? []),
      detail.remark ? el("details", {}, el("summary", {}, "Why this plan"), el("p", {}, sentence(detail.remark))) : "",
      pairs("Measured", detail.scores),
      checks(detail),
      origins(task),
    );
    await this.ground(task);
    if (isAsked) {
      this.element.focus({ preventScroll: true });
      const top = this.element.getBoundingClientRect().top;
      if (top < 0 || top > innerHeight * 0.6) this.element.scrollIntoView({ block: "start" });
    }
  }

  private async ground(task: Listed): Promise<void> {
    const all = await maps();
    const towns = this.towns;
    this.town.setLook(all.style);
    this.town.setGround(towns.map((city) => ({ city, basemap: undefined })));
    this.redraw();
    const found = await Promise.all(towns.map((city) => basemapOf(all, city)));
    if (this.towns !== towns) return; // another task was opened meanwhile
    this.town.setGround(towns.map((city, at) => ({ city, basemap: found[at] })));
    this.town.setCredit(credit(this.of, all, towns));
    this.town.element.dataset["drawn"] = task.id;
  }

  private witness(detail: Detail): HTMLElement {
    const panel = el("div", { class: "days" });
    if (!detail.days.length) return el("div", {}, el("h4", {}, "Witness plan"), el("p", { class: "small" }, "This family draws no plan here."));
    const tabs = el("div", { class: "tabs", role: "group", "aria-label": "Days of the plan" });
    const choose = (chosen: number) => {
      const shown = detail.days.map((day, number) => ({ day, number })).filter(({ number }) => chosen < 0 || number === chosen);
      const spots = this.numbered(shown);
      panel.replaceChildren(...shown.map(({ day, number }) => this.day(day, number, spots)));
      this.redraw = () => this.draw(shown, spots);
      this.redraw();
      [...tabs.children].forEach((tab, at) => tab.setAttribute("aria-pressed", String(at === chosen + 1)));
    };
    for (const [at, text] of ["All days", ...detail.days.map((day) => day.title)].entries())
      tabs.append(el("button", { type: "button", onclick: () => choose(at - 1) }, foreign(text)));
    const fullest = Math.max(...detail.days.map((day) => day.stops.length));
    choose(detail.days.findIndex((day) => day.stops.length === fullest));
    return el("div", { class: "witness" }, el("div", { class: "witness-head" }, el("h4", {}, "Witness plan"), tabs), el("div", { class: "plan" }, panel, this.town.element));
  }

  private day(day: Day, number: number, spots: Map<string, Spot>): HTMLElement {
    return el(
      "div",
      { class: `day day${number % DAY_COLOURS}` },
      el("h5", {}, foreign(day.title), day.note ? el("span", { class: "small" }, sentence(day.note)) : null),
      el("ol", {}, ...day.stops.map((stop) => el("li", {}, this.stop(stop, spots.get(key(stop, number)))))),
    );
  }

  private stop(stop: Stop, spot: Spot | undefined): HTMLElement {
    const [what, name, when, note] = stop;
    const inside = [
      el("span", { class: spot ? "dot" : "dot none", "aria-hidden": "true" }, spot ? String(spot.number) : ""),
      el("span", { class: "what" }, [when, what].filter(Boolean).join(" · ")),
      el("strong", {}, foreign(name)),
      note ? el("span", { class: "small" }, sentence(note)) : null,
    ];
    if (!spot) return el("div", { class: "stop" }, ...inside);
    const look = () => {
      this.town.panTo(spot.at);
      this.town.say({ x: spot.at[0], y: spot.at[1], name: spot.name });
    };
    return el("button", { type: "button", class: "stop", onclick: look }, ...inside);
  }

  private draw(shown: { day: Day; number: number }[], spots: Map<string, Spot>): void {
    const ways = shown.flatMap(({ day, number }) => {
      const paint = colour(`--day${number % DAY_COLOURS}`);
      const placed = day.stops.flatMap((stop) => spots.get(key(stop, number)) ?? []);
      return placed.slice(1).flatMap((to, at) => {
        const from = placed[at];
        if (!from || from === to) return [];
        const street = day.ways[at];
        const points = street ? this.street(street, from.at) : [from.at, to.at];
        return [{ points, colour: paint, isStraight: !street }];
      });
    });
    this.town.setWays(ways);
    this.town.setPins(
      [...spots.values()].map((spot) => {
        const pin = el("span", { class: `pin day${spot.day % DAY_COLOURS}` }, String(spot.number));
        const named = { x: spot.at[0], y: spot.at[1], name: spot.name };
        pin.addEventListener("pointerenter", () => this.town.say(named));
        return { at: spot.at, element: pin, name: spot.name };
      }),
    );
    this.town.fit([...spots.values()].map((spot) => spot.at));
  }


  private nearest(lat: number, lon: number): City | undefined {
    const off = (city: City) => Math.abs(((lon - middleOf(city) + 540) % 360 + 360) % 360 - 180) + Math.abs(lat - (city.box[0] + city.box[2]) / 2);
    return [...this.towns].sort((one, other) => off(one) - off(other))[0];
  }

  private street(flat: number[], from: [number, number]): [number, number][] {
    const points: [number, number][] = [];
    let [lat, lon] = [0, 0];
    for (let at = 0; at < flat.length; at += 2) {
      lat += (flat[at] ?? 0) * UNIT_DEG;
      lon += (flat[at + 1] ?? 0) * UNIT_DEG;
      points.push(ground(lat, lon, this.nearest(lat, lon)));
    }
    return points.length > 1 ? points : [from];
  }

  // Number the places of each day in the order of the first visit; where there is no position there is no number.
  private numbered(shown: { day: Day; number: number }[]): Map<string, Spot> {
    const spots = new Map<string, Spot>();
    for (const { day, number } of shown) {
      let next = 1;
      for (const stop of day.stops) {
        const [, name, , , lat, lon] = stop;
        if (lat === null || lon === null || spots.has(key(stop, number))) continue;
        spots.set(key(stop, number), { number: next, at: ground(lat, lon, this.nearest(lat, lon)), name, day: number });
        next += 1;
      }
    }
    return spots;
  }
}

const key = (stop: Stop, day: number) => `${day}\n${stop[4]}\n${stop[5]}`;

function conversation(detail: Detail): HTMLElement[] {
  if (!detail.messages.length) return [];
  const said = detail.messages.map(([who, what]) => el("li", {}, el("span", { class: "who" }, foreign(who)), el("p", {}, sentence(what))));
  return [el("div", {}, el("h4", {}, "How the group opens"), el("ul", { class: "messages" }, ...said))];
}

// Demands of a line each as a list; those of a person, which are many, as a card each.
function asks(found: [string, string][]): HTMLElement | string {
  const long = found.filter(([, value]) => value.includes("\n"));
  if (!long.length) return pairs("What it asks", found);
  return el(
    "div",
    {},
    pairs("What it asks", found.filter(([, value]) => !value.includes("\n"))),
    el("div", { class: long.length === 4 ? "people by-two" : "people" }, ...long.map(([who, value]) => el("section", {}, el("h5", {}, foreign(who)), el("ul", {}, ...value.split("\n").map((line) => el("li", {}, sentence(line))))))),
  );
}

function pairs(title: string, found: [string, string][]): HTMLElement | string {
  if (!found.length) return "";
  return el("div", {}, el("h4", {}, title), el("dl", { class: "pairs" }, ...found.flatMap(([term, value]) => [el("dt", {}, foreign(term)), el("dd", {}, sentence(value))])));
}

function checks(detail: Detail): HTMLElement | string {
  if (!detail.checks.length) return "";
  const mark = (holds: boolean | null) => (holds === null ? "not asked" : holds ? "holds" : "fails");
  return el(
    "div",
    {},
    el("h4", {}, "What the checker verified", detail.checks.some(([, holds]) => holds === null) && el("span", { class: "small" }, "– was not asked for")),
    el("ul", { class: "checks" }, ...detail.checks.map(([name, holds]) => el("li", { class: mark(holds).replace(" ", "-") }, words(name), el("span", { class: "unseen" }, `: ${mark(holds)}`)))),
  );
}
