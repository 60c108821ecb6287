// A map drawn from our own shapes: no tile server. What lies on the ground and on it is the caller's.

import Map from "ol/Map";
import Overlay from "ol/Overlay";
import View from "ol/View";
import Feature from "ol/Feature";
import { defaults as actions } from "ol/interaction/defaults";
import MouseWheelZoom from "ol/interaction/MouseWheelZoom";
import { focusWithTabindex } from "ol/events/condition";
import LineString from "ol/geom/LineString";
import Point from "ol/geom/Point";
import Polygon, { fromExtent } from "ol/geom/Polygon";
import VectorLayer from "ol/layer/Vector";
import VectorTileLayer from "ol/layer/VectorTile";
import VectorSource from "ol/source/Vector";
import Fill from "ol/style/Fill";
import Stroke from "ol/style/Stroke";
import Style from "ol/style/Style";
import { boundingExtent, buffer, getCenter, getHeight, getWidth } from "ol/extent";
import { fromLonLat } from "ol/proj";
import type { Basemap } from "./basemap";
import { middleOf, type City, type Look } from "./data";
import { Dots, type Dot } from "./dots";
import { el } from "./dom";
import { colours, groundStyle, nameStyle, PIN_PX } from "./mapstyle";

// Room around what is shown, so that nothing lies under the buttons.
const ROOM = [44, 66, 48, 40];
// The same of a narrow map; below lies the scale.
const NARROW_ROOM = [26, 66, 48, 20];
const CLOSEST_FIT = 0.9;
const NEAREST = 0.15;
// A city much higher than wide fills the canvas sooner than it is seen whole: it is drawn at most so much nearer.
const MOST_CUT = 1.6;
// The same where the ground itself ends within the canvas.
const MOST_FILL = 2;

const INTO_SIGHT = { margin: 12, animation: { duration: 160 } };
// Pins nearer to each other than this are spread, over at most so much.
const HIDDEN_PX = 20;
const WIDEST_GROUP_PX = 78;
const BUTTONS_PX = 56;
// The scale is at least two fifths as long in pixels, which holds "500 km".
const SCALE_WORDS = 110;

export interface Spot extends Dot {
  name: string;
}

interface Pin {
  overlay: Overlay;
  // What keeps names off it.
  obstacle: Feature<Point>;
}

export interface Town {
  city: City;
  basemap: Basemap | undefined;
}

// Web Mercator of a position, on the side of the globe where the city is.
export function ground(lat: number, lon: number, city?: City): [number, number] {
  const middle = city ? middleOf(city) : lon;
  const turned = lon + 360 * Math.round((middle - lon) / 360);
  const [x = 0, y = 0] = fromLonLat([turned, lat]);
  return [x, y];
}

export class TownMap<S extends Spot = Spot> {
  readonly element: HTMLElement;
  readonly map: Map;
  readonly dots = new Dots<S>();
  onPick: ((spot: S | undefined) => void) | undefined;
  private readonly scale = el("div", { class: "scale", "aria-hidden": "true" });
  private readonly credit = el("p", { class: "credit" });
  private readonly labels = new VectorSource();
  private readonly labelLayer: VectorLayer;
  private readonly edges = new VectorSource();
  private readonly covered = new VectorSource();
  private readonly coveredLayer = new VectorLayer({ source: this.covered, zIndex: -1 });
  private readonly edgeLayer = new VectorLayer({ source: this.edges, zIndex: 10 });
  private readonly ways = new VectorSource();
  private readonly tip = new Overlay({ element: el("div", { class: "tip", role: "tooltip" }), positioning: "bottom-center", offset: [0, -12], stopEvent: false });
  private readonly card = new Overlay({ element: el("div", { class: "card-holder" }), positioning: "bottom-center", offset: [0, -14], autoPan: INTO_SIGHT });
  private basemaps: VectorTileLayer[] = [];
  private pins: Pin[] = [];
  private look: Look | undefined;
  private home: number[] | undefined;
  private heart: [number, number] | undefined;
  private isFilled = false;
  private fitted = "";
  private isBare = false;
  private readonly holder: HTMLElement;
  private shown: Element | undefined;

  constructor(label: string) {
    this.holder = el("div", { class: "town", role: "application", "aria-label": label, tabindex: "0" });
    const zoom = (by: number) => () => this.zoom(by);
    this.element = el(
      "div",
      { class: "mapbox" },
      this.holder,
      this.scale,
      this.credit,
      el(
        "div",
        { class: "zoom" },
        el("button", { type: "button", "aria-label": "Closer", onclick: zoom(1) }, "+"),
        el("button", { type: "button", "aria-label": "Farther", onclick: zoom(-1) }, "−"),
        el("button", { type: "button", "aria-label": "Show all", onclick: () => this.showAll(true) }, "⤢"),
      ),
    );
    this.labelLayer = new VectorLayer({ source: this.labels, declutter: true, renderBuffer: 500, zIndex: 30 });
    this.map = new Map({
      target: this.holder,
      controls: [],
      // The wheel scrolls the page until the reader has taken hold of the map.
      interactions: actions({ altShiftDragRotate: false, pinchRotate: false, mouseWheelZoom: false }).extend([new MouseWheelZoom({ condition: focusWithTabindex })]),
      keyboardEventTarget: this.holder,
      view: new View({ center: [0, 0], resolution: 20 }),
      layers: [
        this.coveredLayer,
        this.edgeLayer,
        this.dots.layer,
        new VectorLayer({ source: this.ways, zIndex: 25, style: (feature) => feature.get("styles") as Style[] }),
        this.labelLayer,
      ],
      overlays: [this.tip, this.card],
    });
    this.map.on("moveend", () => {
      this.measure();
      this.spread();
    });
    // A canvas that grows or shrinks shows all of it again, unless the reader has looked elsewhere meanwhile.
    this.map.on("change:size", () => {
      if (this.looksAt() === this.fitted) this.showAll(false);
    });
    this.map.on("pointermove", (event) => {
      if (event.dragging) return;
      const spot = this.spotAt(event.coordinate);
      this.holder.classList.toggle("over", Boolean(spot));
      this.say(spot);
    });
    // What a card tells of later makes it higher: it is brought into sight again, in place of the move that is under way.
    const sight = new ResizeObserver(() => {
      if (!this.shown) return;
      this.map.getView().cancelAnimations();
      this.map.renderSync();
      this.card.panIntoView(INTO_SIGHT);
    });
    const held = this.card.getElement();
    if (held) sight.observe(held);
    this.holder.addEventListener("pointerleave", () => this.say(undefined));
    this.map.on("click", (event) => {
      const spot = this.spotAt(event.coordinate);
      if (this.onPick) this.onPick(spot);
    });
    this.holder.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.show(undefined);
    });
    document.addEventListener("themechange", () => this.paint());
  }

  setLook(look: Look): void {
    this.look = look;
    this.paint();
  }

  // Draw the ground of some towns, and where each ends.
  setGround(towns: Town[]): void {
    for (const layer of this.basemaps) this.map.removeLayer(layer);
    this.labels.clear(true);
    this.labels.addFeatures(this.pins.map((pin) => pin.obstacle));
    this.edges.clear(true);
    this.covered.clear(true);
    this.setCredit([]);
    this.basemaps = towns.flatMap(({ basemap }) => (basemap ? [new VectorTileLayer({ source: basemap.source, renderMode: "hybrid", renderBuffer: 120, zIndex: 0 })] : []));
    for (const layer of this.basemaps) this.map.addLayer(layer);
    for (const { city, basemap } of towns) {
      if (basemap) this.labels.addFeatures(basemap.names);
      if (basemap) this.covered.addFeature(new Feature(fromExtent(basemap.covers)));
      this.edges.addFeature(new Feature(new Polygon([outline(city)])));
    }
    this.isBare = !towns.some(({ basemap }) => basemap?.names.length);
    this.bound(towns);
    this.paint();
  }

  setCredit(words: (Node | string)[]): void {
    this.credit.replaceChildren(...words);
  }

  // The map goes no farther than there is something to see.
  private bound(towns: Town[]): void {
    const extent = boundingExtent(towns.flatMap(({ city, basemap }) => [...outline(city), ...(basemap ? corners(basemap.covers) : [])]));
    const wide = Math.max(getWidth(extent), getHeight(extent));
    const [width = 900, height = 500] = this.map.getSize() ?? [];
    const known = this.map.getView();
    this.map.setView(
      new View({
        center: known.getCenter(),
        resolution: known.getResolution(),
        extent: buffer(extent, wide * 0.1),
        constrainOnlyCenter: true,
        maxResolution: Math.max(getWidth(extent) / width, getHeight(extent) / height) * 1.5,
        minResolution: NEAREST,
        smoothResolutionConstraint: false,
      }),
    );
  }

  // Names of places among the names of the map.
  setNames(spots: S[]): void {
    for (const feature of this.labels.getFeatures()) if (feature.get("kind") === "place") this.labels.removeFeature(feature);
    this.labels.addFeatures(spots.map((spot) => new Feature({ geometry: new Point([spot.x, spot.y]), kind: "place", layer: spot.kind, name: spot.name })));
  }

  setWays(ways: { points: [number, number][]; colour: string; isStraight: boolean }[]): void {
    this.ways.clear(true);
    const halo = this.look ? colours(this.look)["halo"] : "#fff";
    for (const { points, colour, isStraight } of ways) {
      const feature = new Feature(new LineString(points));
      const dash = isStraight ? [2, 8] : undefined;
      feature.set("styles", [
        new Style({ stroke: new Stroke({ color: halo, width: 7.5, lineCap: "round", lineJoin: "round" }) }),
        new Style({ stroke: new Stroke({ color: colour, width: 3.6, lineCap: "round", lineJoin: "round", lineDash: dash }), zIndex: 1 }),
      ]);
      this.ways.addFeature(feature);
    }
  }

  setPins(pins: { at: [number, number]; element: HTMLElement; name: string }[]): void {
    for (const { overlay, obstacle } of this.pins) {
      this.map.removeOverlay(overlay);
      this.labels.removeFeature(obstacle);
    }
    this.pins = pins.map(({ at, element, name }) => ({
      overlay: new Overlay({ element, position: at, positioning: "center-center", stopEvent: false, insertFirst: true }),
      obstacle: new Feature({ geometry: new Point(at), kind: "stop", name }),
    }));
    // Each goes before those already there: the first ends up first, and all of them below a card.
    for (const pin of [...this.pins].reverse()) this.map.addOverlay(pin.overlay);
    this.labels.addFeatures(this.pins.map((pin) => pin.obstacle));
    this.spread();
  }

  // Pins that would hide one another stand side by side, and know how much room there is for a name to their right.
  private spread(): void {
    const resolution = this.map.getView().getResolution() ?? 1;
    const near = HIDDEN_PX * resolution;
    const east = (this.map.getView().getCenter()?.[0] ?? 0) + ((this.map.getSize()?.[0] ?? 0) / 2) * resolution;
    const groups: Pin[][] = [];
    for (const pin of this.pins) {
      const [x = 0, y = 0] = pin.overlay.getPosition() ?? [];
      const group = groups.find(([first]) => {
        const [x0 = 0, y0 = 0] = first?.overlay.getPosition() ?? [];
        return Math.hypot(x - x0, y - y0) < near;
      });
      if (group) group.push(pin);
      else groups.push([pin]);
    }
    for (const group of groups) {
      group.sort((one, other) => (one.overlay.getPosition()?.[0] ?? 0) - (other.overlay.getPosition()?.[0] ?? 0));
      const step = Math.min(PIN_PX, WIDEST_GROUP_PX / group.length);
      const half = ((group.length - 1) / 2) * step;
      const free = (east - (group.at(-1)?.overlay.getPosition()?.[0] ?? 0)) / resolution - BUTTONS_PX - PIN_PX / 2;
      // The last of them keeps off the buttons, where their own spot does.
      const back = Math.max(0, Math.min(half, half - free));
      for (const [at, { overlay, obstacle }] of group.entries()) {
        const aside = at * step - half - back;
        overlay.setOffset([aside, 0]);
        obstacle.setProperties({ aside, room: (east - (overlay.getPosition()?.[0] ?? 0)) / resolution - aside - BUTTONS_PX });
      }
    }
  }

  // `heart` is what stays in sight where not all of it does.
  fit(points: [number, number][], isFilled = false, heart?: [number, number]): void {
    if (!points.length) return;
    this.isFilled = isFilled;
    this.heart = heart;
    this.home = boundingExtent(points);
    this.showAll(false);
  }

  // All of it, or, where that would leave most of the canvas empty, its middle part.
  showAll(isSlow: boolean): void {
    if (!this.home) return;
    this.map.updateSize();
    const [width = 900, height = 500] = this.map.getSize() ?? [];
    const [top = 0, right = 0, bottom = 0, left = 0] = this.room();
    const across = getWidth(this.home) / (width - left - right);
    const down = getHeight(this.home) / (height - top - bottom);
    const whole = Math.max(across, down);
    const uneven = Math.sqrt(whole / Math.max(Math.min(across, down), 1e-9));
    const empty = this.covered.isEmpty() ? 1 : (width * whole) / getWidth(this.covered.getExtent() ?? this.home);
    const resolution = this.isFilled ? whole / Math.max(1, Math.min(MOST_CUT, uneven), Math.min(MOST_FILL, empty)) : whole;
    const view = this.map.getView();
    const next = Math.max(resolution, CLOSEST_FIT);
    const [middleX = 0, middleY = 0] = getCenter(this.home);
    const [heartX, heartY] = this.heart ?? [middleX, middleY];
    const hidden = (length: number, room: number) => Math.max(0, length - room * next) / 2;
    const x = within(heartX, middleX, hidden(getWidth(this.home), width - left - right));
    const y = within(heartY, middleY, hidden(getHeight(this.home), height - top - bottom));
    const center = [x + ((right - left) / 2) * next, y + ((top - bottom) / 2) * next];
    if (isSlow) view.animate({ center, resolution: next, duration: 250 }, () => (this.fitted = this.looksAt()));
    else {
      view.setResolution(next);
      view.setCenter(center);
      this.fitted = this.looksAt();
    }
  }

  private looksAt(): string {
    return String([this.map.getView().getCenter(), this.map.getView().getResolution()]);
  }

  private room(): number[] {
    return (this.map.getSize()?.[0] ?? 0) < 500 ? NARROW_ROOM : ROOM;
  }

  panTo(at: [number, number]): void {
    this.map.getView().animate({ center: at, duration: 250 });
  }

  // A short name above a point; a card with more stays until it is closed.
  say(spot: { x: number; y: number; name: string } | undefined): void {
    this.tip.getElement()?.replaceChildren(...(spot ? [label(spot.name)] : []));
    this.tip.setPosition(spot ? [spot.x, spot.y] : undefined);
  }

  show(content: HTMLElement | undefined, at?: [number, number]): void {
    if (this.shown && !content) this.holder.focus({ preventScroll: true });
    this.shown = content;
    this.card.getElement()?.replaceChildren(...(content ? [content] : []));
    this.card.setPosition(content ? at : undefined);
    if (content) this.say(undefined);
  }

  private spotAt([x = 0, y = 0]: number[]): S | undefined {
    return this.dots.at(x, y, this.map.getView().getResolution() ?? 1);
  }

  private zoom(by: number): void {
    const view = this.map.getView();
    view.animate({ zoom: (view.getZoom() ?? 12) + by, duration: 180 });
  }

  private paint(): void {
    if (!this.look) return;
    const paint = colours(this.look);
    this.holder.style.backgroundColor = paint["beyond"] ?? "";
    const style = groundStyle(this.look);
    for (const layer of this.basemaps) layer.setStyle(style);
    this.labelLayer.setStyle(nameStyle(this.look, this.isBare));
    this.dots.paint({ ...paint, transit: paint["stop"] ?? "" });
    this.coveredLayer.setStyle(new Style({ fill: new Fill({ color: paint["land"] }) }));
    this.edgeLayer.setStyle(new Style({ stroke: new Stroke({ color: paint["edge"], width: 1.4, lineDash: [6, 6] }) }));
  }

  // The longest round distance that a fifth of the map's width can show, or what its own words need.
  private measure(): void {
    const view = this.map.getView();
    const [width = 0, height = 0] = this.map.getSize() ?? [];
    const north = view.getCenter()?.[1] ?? 0;
    const metresAPixel = (view.getResolution() ?? 1) / Math.cosh(north / 6378137);
    const far = Math.max(width / 5, SCALE_WORDS) * metresAPixel;
    if (!far) return;
    if (!matchMedia("print").matches) {
      // Paper is laid out by what the screen showed: what is drawn there must not change it.
      this.element.style.setProperty("--wide", String(width));
      this.element.style.setProperty("--high", String(height));
    }
    const power = 10 ** Math.floor(Math.log10(far));
    const round = [5, 2, 1].map((step) => step * power).find((length) => length <= far) ?? power;
    this.scale.style.width = `${round / metresAPixel}px`;
    this.scale.textContent = round >= 1000 ? `${round / 1000} km` : `${round} m`;
  }
}

// The value, at most so far from the middle.
function within(value: number, middle: number, far: number): number {
  return Math.min(middle + far, Math.max(middle - far, value));
}

export function outline(city: City): [number, number][] {
  const [south, west, north, east] = city.box;
  const corners: [number, number][] = city.polygon ?? [[south, west], [south, east], [north, east], [north, west]];
  const ring = corners.map(([lat, lon]) => ground(lat, lon, city));
  return [...ring, ring[0] ?? [0, 0]];
}

function corners([west, south, east, north]: [number, number, number, number]): [number, number][] {
  return [[west, south], [east, north]];
}

export function label(text: string): HTMLElement {
  return el("bdi", { class: "label" }, text.length > 90 ? `${text.slice(0, 89)}…` : text);
}
