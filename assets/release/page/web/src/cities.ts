// The map of each city, with every place that its tasks can use.

import * as L from "leaflet";
import type { Maps, Overview, Place } from "./data";
import { maps } from "./data";
import { count, el, foreign, listed, near, section } from "./dom";
import { label, TownMap } from "./map";
import { colour } from "./theme";

// From the bottom up.
const KINDS = ["transit", "restaurant", "attraction", "stay"];
const NAMES: Record<string, string> = { transit: "Transit stops", restaurant: "Restaurants", attraction: "Attractions", stay: "Stays" };

// The box of nearly all the places: one far out must not shrink the town.
function middle(places: Place[]): [number, number][] {
  const cut = (values: number[]) => {
    const sorted = [...values].sort((a, b) => a - b);
    const off = Math.floor(sorted.length * 0.05);
    return [sorted[off] ?? 0, sorted[sorted.length - 1 - off] ?? 0] as const;
  };
  const [south, north] = cut(places.map((place) => place[1]));
  const [west, east] = cut(places.map((place) => place[2]));
  return [[south, west], [north, east]];
}

export function cities(of: Overview): HTMLElement {
  const town = new TownMap("Map of the city's places. Arrow keys move it, plus and minus zoom.");
  const pick = el("select", { id: "city" }, ...of.cities.map((city) => el("option", { value: city.city_id }, placeName(city.name, city.region))));
  const legend = el("div", { class: "legend", role: "group", "aria-label": "Layers" });
  const caption = el("p", { class: "small" });
  const shown = new Map<string, L.FeatureGroup>();
  const hidden = new Set<string>();

  const show = (all: Maps) => {
    const city = of.cities.find((one) => one.city_id === pick.value);
    if (!city) return;
    for (const group of shown.values()) group.remove();
    shown.clear();
    legend.replaceChildren();
    const ground = all.grounds[city.city_id];
    town.setGround([{ city, ground }]);
    const places = placesOf(all, city.city_id);
    for (const kind of [...KINDS, ...[...places.keys()].filter((other) => !KINDS.includes(other))]) {
      const found = places.get(kind);
      if (!found) continue;
      const group = points(kind, found);
      shown.set(kind, group);
      if (!hidden.has(kind)) group.addTo(town.map);
      const box = el("input", { type: "checkbox", checked: !hidden.has(kind) });
      box.addEventListener("change", () => {
        if (box.checked) hidden.delete(kind);
        else hidden.add(kind);
        if (box.checked) group.addTo(town.map);
        else group.remove();
      });
      legend.append(el("label", { class: `layer ${kind}` }, box, el("i", {}), NAMES[kind] ?? kind, el("span", { class: "soft" }, count(found.length))));
    }
    const every = [...places].flatMap(([kind, found]) => (kind === "transit" ? [] : found));
    town.fit(every.length ? middle(every) : [[city.box[0], city.box[1]], [city.box[2], city.box[3]]]);
    caption.replaceChildren(...groundNote(of, Boolean(ground && Object.keys(ground).length)));
  };

  pick.addEventListener("change", () => void maps().then(show));
  document.addEventListener("themechange", () => {
    for (const [kind, group] of shown) group.setStyle(style(kind));
  });
  void near(town.element).then(maps).then((all) => {
    const most = [...of.cities].sort((a, b) => total(all, b.city_id) - total(all, a.city_id))[0];
    if (most) pick.value = most.city_id;
    show(all);
  });
  return section(
    "map",
    of.cities.length > 1 ? "The cities" : "The city",
    "Every place that tasks can use. The map is drawn from the release's own tables; nothing is loaded from anywhere.",
    el(
      "div",
      { class: "controls" },
      of.cities.length > 1 ? el("label", { class: "field", for: "city" }, "City ", pick) : el("p", { class: "town-name" }, foreign(of.cities[0]?.name ?? "")),
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
      for (const place of places) known.set(place.join("\n"), place);
      found.set(kind, known);
    }
  }
  return new Map([...found].map(([kind, places]) => [kind, [...places.values()]]));
}

function total(all: Maps, cityId: string): number {
  return [...placesOf(all, cityId).values()].flat().length;
}

function style(kind: string): L.CircleMarkerOptions {
  const known = KINDS.includes(kind) ? kind : "other";
  return { color: colour("--map-halo"), fillColor: colour(`--${known}`) };
}

function points(kind: string, places: Place[]): L.FeatureGroup {
  const look = { ...style(kind), radius: kind === "transit" ? 2.5 : places.length > 600 ? 3.5 : 4.5, weight: 0.8, fillOpacity: 0.92 };
  const markers = places.map(([name, lat, lon]) => Object.assign(L.circleMarker([lat, lon], look), { placeName: name }));
  return L.featureGroup(markers).bindTooltip((layer) => label((layer as unknown as { placeName: string }).placeName), { direction: "top" });
}

function groundNote(of: Overview, hasGround: boolean): (Node | string)[] {
  if (!hasGround) return ["No streets: the recipe binds no OpenStreetMap extract for this city, or its bytes are not in this home. The outline is the city's area."];
  const osm = of.flow.sources.find((source) => source.name === "osm");
  if (osm?.is_invented) return ["Streets are invented, in OpenStreetMap's own format, and generalised."];
  const who = of.licences.filter((one) => one.sources.includes("osm")).flatMap((one) => one.attribution);
  return ["Streets, water and green: ", foreign(listed(who) || "OpenStreetMap"), ", generalised."];
}
