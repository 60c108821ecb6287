// Whose map a reader sees. It stands on the map itself, as OpenStreetMap asks of whatever shows its data.

import type { City, Maps, Overview } from "./data";
import { el, foreign, listed } from "./dom";

const TERMS = "https://www.openstreetmap.org/copyright";

export function isInvented(of: Overview): boolean {
  return Boolean(of.flow.sources.find((source) => source.name === "osm")?.is_invented);
}

// Who made the street maps of the towns and under which terms; nothing where no street map is real.
export function credit(of: Overview, all: Maps, towns: City[]): (Node | string)[] {
  if (isInvented(of) || !towns.some((city) => all.grounds[city.city_id]?.kind === "osm")) return [];
  const who = of.licences.filter((one) => one.sources.includes("osm")).flatMap((one) => one.attribution);
  return [foreign(listed(who) || "© OpenStreetMap contributors"), ", ", el("a", { href: TERMS, rel: "noopener" }, "ODbL")];
}
