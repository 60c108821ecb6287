// The map of each city, with every place that its tasks can use; a click on a place tells what is known of it.

import type { City, Maps, Overview, Place } from "./data";
import { basemapOf, maps, visitedCities } from "./data";
import { card } from "./card";
import { credit, isInvented } from "./credit";
import { count, el, foreign, near, section } from "./dom";
import { ground, outline, TownMap, type Spot } from "./map";

// From the bottom up.
const KINDS = ["transit", "restaurant", "attraction", "stay"];
const NAMES: Record<string, string> = { transit: "Transit stops", restaurant: "Restaurants", attraction: "Attractions", stay: "Stays" };

export interface PlaceSpot extends Spot {
  place: Place;
  cityId: string;
}

// The box of nearly all the places: one far out must not shrink the town.
function middle(spots: Spot[]): [number, number][] {
  const cut = (values: number[]) => {
    const sorted = [...values].sort((a, b) => a - b);
    const off = Math.floor(sorted.length * 0.04);
    return [sorted[off] ?? 0, sorted[sorted.length - 1 - off] ?? 0] as const;
  };
  const [west, east] = cut(spots.map((spot) => spot.x));
  const [south, north] = cut(spots.map((spot) => spot.y));
  return [[west, south], [east, north]];
}

// Where half of the places lie to each side.
function heart(spots: Spot[]): [number, number] {
  const half = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return [half(spots.map((spot) => spot.x)), half(spots.map((spot) => spot.y))];
}

export function cities(of: Overview): HTMLElement {
  const towns = visitedCities(of);
  const town = new TownMap<PlaceSpot>("Map of the city's places. Arrow keys move it, plus and minus zoom.");
  const pick = el("select", { id: "city" }, ...towns.map((city) => el("option", { value: city.city_id }, placeName(city.name, city.region))));
  const legend = el("div", { class: "legend", role: "group", "aria-label": "Layers" });
  const caption = el("p", { class: "small" });
  const hidden = new Set<string>();

  const show = async (all: Maps) => {
    const city = towns.find((one) => one.city_id === pick.value);
    if (!city) return;
    town.show(undefined);
    const places = placesOf(all, city.city_id);
    const kinds = [...KINDS, ...[...places.keys()].filter((other) => !KINDS.includes(other))].filter((kind) => places.has(kind));
    const spots = kinds.flatMap((kind) =>
      (places.get(kind) ?? []).map((place): PlaceSpot => {
        const [x, y] = ground(place[1], place[2], city);
        return { x, y, kind, name: place[0], place, cityId: city.city_id };
      }),
    );
    legend.replaceChildren(
      ...kinds.map((kind) => {
        const box = el("input", { type: "checkbox", checked: !hidden.has(kind) });
        box.addEventListener("change", () => {
          if (box.checked) hidden.delete(kind);
          else hidden.add(kind);
          town.dots.hide(hidden);
          town.setNames(spots.filter((spot) => !hidden.has(spot.kind)));
        });
        return el("label", { class: `layer ${kind}` }, box, el("i", {}), NAMES[kind] ?? kind, el("span", { class: "soft" }, count(places.get(kind)?.length ?? 0)));
      }),
    );
    town.setLook(all.style);
    const fit = () => {
      const every = spots.filter((spot) => spot.kind !== "transit");
      if (every.length) town.fit(middle(every), true, heart(every));
      else town.fit(outline(city));
    };
    town.dots.set(spots);
    town.dots.hide(hidden);
    town.setGround([{ city, basemap: undefined }]);
    fit();
    const found = await basemapOf(all, city);
    if (pick.value !== city.city_id) return;
    town.setGround([{ city, basemap: found }]);
    town.setCredit(credit(of, all, [city]));
    fit();
    town.setNames(spots.filter((spot) => !hidden.has(spot.kind)));
    caption.replaceChildren(...groundNote(of, all.grounds[city.city_id]?.kind ?? "", [...(found?.notes ?? []), ...(all.grounds[city.city_id]?.problems ?? [])], spots.length ? "" : unshown(city)));
    town.element.dataset["drawn"] = city.city_id;
  };

  town.onPick = (spot) => town.show(spot ? card(of, spot, () => town.show(undefined)) : undefined, spot ? [spot.x, spot.y] : undefined);
  pick.addEventListener("change", () => void maps().then(show));
  void near(town.element).then(maps).then((all) => {
    const most = [...towns].sort((a, b) => total(all, b.city_id) - total(all, a.city_id))[0];
    if (most) pick.value = most.city_id;
    return show(all);
  });
  return section(
    "map",
    towns.length > 1 ? "The cities" : "The city",
    "Every place that tasks can use. Click one to see what is known of it, and which tasks use it.",
    el(
      "div",
      { class: "controls" },
      towns.length > 1 ? el("label", { class: "field", for: "city" }, "City ", pick) : el("p", { class: "town-name" }, foreign(towns[0]?.name ?? "")),
      legend,
    ),
    town.element,
    caption,
  );
}

function placeName(name: string, region: string): string {
  return region && Number.isNaN(Number(region)) ? `${name}, ${region}` : name;
}

function placesOf(all: Maps, cityId: string): Map<string, Place[]> {
  const found = new Map<string, Map<string, Place>>();
  for (const release of all.places) {
    for (const [kind, places] of Object.entries(release[cityId] ?? {})) {
      const known = found.get(kind) ?? new Map<string, Place>();
      for (const place of places) {
        const key = place.slice(0, 3).join("\n");
        // Of families that tell of one place, the one that tells most of it is shown.
        if ((known.get(key)?.[4]?.length ?? -1) < (place[4]?.length ?? 0)) known.set(key, place);
      }
      found.set(kind, known);
    }
  }
  return new Map([...found].map(([kind, places]) => [kind, [...places.values()]]));
}

function total(all: Maps, cityId: string): number {
  return [...placesOf(all, cityId).values()].flat().length;
}

// Why a map shows no places: people go to such a city too, where a family tells the page of none.
function unshown(city: City): string {
  return city.is_visited ? "This family names no places for its map. " : "No place of this city is in the release: trips only set out from here. ";
}

// Where the ground is from, and what it lacks: a map that is drawn without a source for it says so.
function groundNote(of: Overview, kind: string, notes: string[], placeless: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  if (placeless) parts.push(placeless);
  if (kind === "osm") {
    if (isInvented(of)) parts.push("Streets are invented, in OpenStreetMap's own format.");
  } else if (kind) {
    parts.push(`The recipe binds no street map here. ${kind === "transit" ? "Lines of transit and the ground around the city's places stand" : "The ground around the city's places stands"} in for it.`);
  } else {
    parts.push("The recipe binds no street map here. The outline is the city's area.");
  }
  return [...parts, ...notes.map((note) => ` ${note}`)];
}
