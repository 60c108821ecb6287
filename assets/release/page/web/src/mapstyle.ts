// How the basemap is drawn: the declaration that the page is given, as OpenLayers' styles.

import type Feature from "ol/Feature";
import type { FeatureLike } from "ol/Feature";
import Fill from "ol/style/Fill";
import Stroke from "ol/style/Stroke";
import Style from "ol/style/Style";
import Text from "ol/style/Text";
import Circle from "ol/style/Circle";
import type { Look } from "./data";
import { isDark } from "./theme";

const SANS = '"Noto Sans", system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const TUNNEL = 1;
const BRIDGE = 2;
const STEPS = 3;
// Letters along a curve: Arabic falls apart and Hebrew's spaces move. Such names are set straight.
const STRAIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const MAX_ANGLE = 0.38;
// About the width of a letter of a stop's name.
const LETTER_PX = 6.8;
// A numbered stop's diameter, as style.css draws it.
export const PIN_PX = 26;

export const zoomOf = (resolution: number) => Math.log2(156_543.033928 / resolution);

type Painter = (feature: FeatureLike, resolution: number) => Style | Style[] | undefined;

export function colours(look: Look): Record<string, string> {
  return isDark() ? look.dark : look.light;
}

// Areas and lines. Styles are kept by layer, form and quarter of a zoom: there are few.
export function groundStyle(look: Look): Painter {
  const paint = colours(look);
  const areas = new Map(look.areas.map(([name, from], at) => [name, { from, at }]));
  const lines = new Map(look.lines.map(([name, rule], at) => [name, { ...rule, at }]));
  const kept = new Map<string, Style[]>();

  function make(layer: string, form: number, zoom: number): Style[] {
    const area = areas.get(layer);
    if (area) {
      if (zoom < area.from) return [];
      const edge = layer === "building" && zoom >= look.building_edge_zoom ? new Stroke({ color: paint["building_edge"], width: 0.8 }) : undefined;
      return [new Style({ fill: new Fill({ color: paint[layer] }), stroke: edge, zIndex: area.at })];
    }
    const line = lines.get(layer);
    if (!line || zoom < line.from) return [];
    const [z1, w1, z2, w2] = line.width;
    const width = Math.max(0.4, w1 * (w2 / w1) ** ((zoom - z1) / (z2 - z1)));
    const level = 100 + (form === TUNNEL ? 0 : form === BRIDGE ? 200 : 100) + line.at;
    const cap = form === BRIDGE || form === TUNNEL ? "butt" : "round";
    const colour = form === TUNNEL && line.casing ? paint["tunnel"] : paint[layer];
    const dash = form === STEPS ? [1.2, 1.2] : line.dash;
    const fill = new Style({
      stroke: new Stroke({ color: colour, width: form === STEPS ? width * 1.8 : width, lineCap: dash ? "butt" : cap, lineJoin: "round", lineDash: dash?.map((part) => part * Math.max(1, width * 0.7)) }),
      zIndex: level + 50,
    });
    if (!line.casing || zoom < (line.casing_from ?? 0)) return [fill];
    const dashes = form === TUNNEL ? [6, 4] : undefined;
    const edge = new Style({ stroke: new Stroke({ color: paint[line.casing], width: width + (zoom > 15 ? 2.2 : 1.5), lineCap: cap, lineJoin: "round", lineDash: dashes }), zIndex: level });
    return [edge, fill];
  }

  return (feature, resolution) => {
    const zoom = Math.round(zoomOf(resolution) * 4) / 4;
    const layer = feature.get("layer") as string;
    const form = feature.get("form") as number;
    const key = `${layer}/${form}/${zoom}`;
    let found = kept.get(key);
    if (!found) kept.set(key, (found = make(layer, form, zoom)));
    return found;
  };
}

// Names of streets along them, and of everything else at a point. The important ones are laid first.
export function nameStyle(look: Look, isBare: boolean): Painter {
  const paint = colours(look);
  const kinds = new Map(look.names.map(([name, rule], at) => [name, { ...rule, at }]));
  const halo = new Stroke({ color: paint["halo"], width: 3 });
  const streetOrder = look.lines.map(([name]) => name);

  return (feature, resolution) => {
    const zoom = zoomOf(resolution);
    const kind = feature.get("kind") as string;
    const name = feature.get("name") as string;
    if (kind === "street") {
      const layer = feature.get("layer") as string;
      const rule = look.street_names[layer];
      if (!rule || zoom < rule.from) return undefined;
      const length = (feature as Feature).getGeometry() as unknown as { getLength(): number };
      const size = Math.min(rule.size + Math.max(0, zoom - 15) * 0.7, rule.size + 2);
      if (length.getLength() / resolution < name.length * size * 0.5) return undefined;
      const isWater = layer === "river" || layer === "stream";
      const isStraight = STRAIGHT.test(name);
      return new Style({
        text: new Text({
          text: name,
          font: `${isWater ? "italic " : ""}500 ${size.toFixed(1)}px ${SANS}`,
          placement: isStraight ? "point" : "line",
          repeat: isStraight ? undefined : 420,
          maxAngle: MAX_ANGLE,
          overflow: false,
          fill: new Fill({ color: isWater ? paint["ink_water"] : paint["ink_road"] }),
          stroke: halo,
        }),
        zIndex: 100 + streetOrder.indexOf(layer),
      });
    }
    if (kind === "stop") return stopName(feature, paint, halo);
    if (kind === "place") return placeName(feature, zoom, isBare, paint, halo);
    const rule = kinds.get(kind);
    if (!rule || zoom < rule.from || zoom > rule.to) return undefined;
    const rank = feature.get("rank") as number;
    // Far out only the largest of a kind; each zoom nearer shows four times as many.
    if (rank >= 6 * 4 ** Math.max(0, zoom - rule.from)) return undefined;
    const size = rule.size + Math.min(3, Math.max(0, zoom - rule.from) * 0.6);
    const isSpot = kind === "peak" || kind === "station";
    return new Style({
      image: isSpot ? new Circle({ radius: kind === "peak" ? 2 : 3, fill: new Fill({ color: paint[rule.ink] }), stroke: new Stroke({ color: paint["halo"], width: 1.5 }) }) : undefined,
      text: new Text({
        text: kind === "suburb" ? spaced(name) : broken(name),
        font: `${rule.italic ? "italic " : ""}${rule.weight} ${size.toFixed(1)}px ${SANS}`,
        fill: new Fill({ color: paint[rule.ink] }),
        stroke: halo,
        offsetY: isSpot ? -11 : 0,
      }),
      zIndex: 1000 - rule.at,
    });
  };
}

// The name of a place that tasks use, beside its dot, once there is room for it.
const PLACE_FROM: Record<string, number> = { attraction: 15.3, stay: 16.2, restaurant: 16.6 };

// Where the ground has no names of its own, those of places are all that there is: of attractions always, of others so
// much sooner.
const BARE_EARLIER = 2.6;

function placeName(feature: FeatureLike, zoom: number, isBare: boolean, paint: Record<string, string>, halo: Stroke): Style | undefined {
  const layer = feature.get("layer") as string;
  const from = (PLACE_FROM[layer] ?? 99) - (isBare ? BARE_EARLIER : 0);
  if (zoom < from && !(isBare && layer === "attraction")) return undefined;
  return new Style({
    text: new Text({
      text: broken(shortened(feature.get("name") as string)),
      font: `600 11.5px ${SANS}`,
      fill: new Fill({ color: paint[layer] ?? paint["other"] }),
      stroke: halo,
      offsetX: 8,
      textAlign: "left",
      justify: "left",
    }),
    zIndex: 60 - KIND_ORDER.indexOf(layer),
  });
}

// The name of a numbered stop beside its pin, which no name may cover: to the right, or to the left where the map ends.
function stopName(feature: FeatureLike, paint: Record<string, string>, halo: Stroke): Style[] {
  const aside = feature.get("aside") as number;
  const name = broken(shortened(feature.get("name") as string));
  const off = PIN_PX / 2 + 6; // with room for the halo
  const isRight = off + LETTER_PX * Math.max(...name.split("\n").map((line) => line.length)) < (feature.get("room") as number);
  const pin = new Circle({ radius: PIN_PX / 2, displacement: [aside, 0], declutterMode: "obstacle" });
  const text = new Text({
    text: name,
    font: `600 11.5px ${SANS}`,
    fill: new Fill({ color: paint["ink"] }),
    stroke: halo,
    offsetX: isRight ? aside + off : aside - off,
    textAlign: isRight ? "left" : "right",
    justify: isRight ? "left" : "right",
  });
  return [new Style({ image: pin, zIndex: 3000 }), new Style({ text, zIndex: 2000 })];
}

const KIND_ORDER = ["attraction", "stay", "restaurant"];
const MAX_NAME = 44;

function shortened(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
}

// A district's name is set wide, unless its letters join.
function spaced(name: string): string {
  return STRAIGHT.test(name) ? name : broken(name.toLocaleUpperCase());
}

// Long names on two lines.
function broken(name: string): string {
  if (name.length < 16) return name;
  const middle = name.length / 2;
  const gaps = [...name.matchAll(/ /g)].map((gap) => gap.index ?? 0);
  const at = gaps.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  return at === undefined ? name : `${name.slice(0, at)}\n${name.slice(at + 1)}`;
}
