// A map drawn from our own shapes: no tile, no server. What lies on the ground is the caller's.

import * as L from "leaflet";
import type { City, Ground } from "./data";
import { el } from "./dom";
import { colour } from "./theme";

const UNIT_DEG = 1e-5;
const AREAS = ["water", "green"];
// From the bottom up: the layer, how wide its lines are in pixels when the town fills the map, and when close.
const WIDTHS: [string, number, number][] = [
  ["water", 0, 0],
  ["green", 0, 0],
  ["river", 1.2, 2.5],
  ["minor", 0.7, 3],
  ["middle", 1.4, 4.5],
  ["major", 2.2, 6],
  ["rail", 0.8, 1.4],
];
const CLOSE_ZOOM = 16;
// Room around what is shown, so that nothing lies under the buttons.
const ROOM: L.FitBoundsOptions = { paddingTopLeft: [30, 34], paddingBottomRight: [62, 34] };

function line(flat: number[]): [number, number][] {
  const points: [number, number][] = [];
  let lat = 0;
  let lon = 0;
  for (let at = 0; at < flat.length; at += 2) {
    lat += flat[at] ?? 0;
    lon += flat[at + 1] ?? 0;
    points.push([lat * UNIT_DEG, lon * UNIT_DEG]);
  }
  return points;
}

export class TownMap {
  readonly element: HTMLElement;
  readonly map: L.Map;
  private readonly ground = L.layerGroup();
  private readonly scale = el("div", { class: "scale", "aria-hidden": "true" });
  private home: L.LatLngBounds | undefined;
  private restyle: (() => void)[] = [];

  constructor(label: string) {
    const holder = el("div", { class: "town", role: "application", "aria-label": label });
    const zoom = (by: number) => () => this.map.zoomIn(by);
    this.element = el(
      "div",
      { class: "mapbox" },
      holder,
      this.scale,
      el(
        "div",
        { class: "zoom" },
        el("button", { type: "button", "aria-label": "Closer", onclick: zoom(1) }, "+"),
        el("button", { type: "button", "aria-label": "Farther", onclick: zoom(-1) }, "−"),
        el("button", { type: "button", "aria-label": "Show all", onclick: () => this.showAll() }, "⤢"),
      ),
    );
    this.map = L.map(holder, {
      zoomControl: false,
      attributionControl: false,
      preferCanvas: true,
      scrollWheelZoom: false,
      zoomSnap: 0.25,
      maxZoom: 19,
      renderer: L.canvas({ padding: 0.2 }),
    }).setView([0, 0], 2);
    // The wheel scrolls the page until the reader has taken hold of the map.
    this.map.on("focus click", () => this.map.scrollWheelZoom.enable());
    this.map.on("blur", () => this.map.scrollWheelZoom.disable());
    this.map.on("zoomend", () => this.paint());
    this.map.on("moveend resize", () => this.measure());
    this.ground.addTo(this.map);
    document.addEventListener("themechange", () => this.paint());
    new ResizeObserver(() => this.map.invalidateSize({ animate: false })).observe(holder);
  }

  // Draw the ground of some towns, and where each ends.
  setGround(towns: { city: City; ground: Ground | undefined }[]): void {
    this.ground.clearLayers();
    this.restyle = [];
    for (const [layer, far, near] of WIDTHS) {
      for (const { ground } of towns) {
        const lines = (ground?.[layer] ?? []).map(line);
        if (lines.length) this.draw(layer, lines, far, near);
      }
    }
    for (const { city } of towns) this.frame(city);
    this.paint();
  }

  private frame(city: City): void {
    const [south, west, north, east] = city.box;
    const outline: L.LatLngExpression[] = city.polygon ?? [[south, west], [south, east], [north, east], [north, west]];
    const shape = L.polygon(outline, { interactive: false, weight: 1.5, dashArray: "5 5", fill: false }).addTo(this.ground);
    this.restyle.push(() => shape.setStyle({ color: colour("--map-edge") }));
  }

  private draw(layer: string, lines: [number, number][][], far: number, near: number): void {
    const isArea = AREAS.includes(layer);
    const shape = isArea
      ? L.polygon(lines, { interactive: false, stroke: false, fillOpacity: 1 })
      : L.polyline(lines, { interactive: false, lineCap: "round", lineJoin: "round" });
    shape.addTo(this.ground);
    this.restyle.push(() => {
      const share = Math.min(1, Math.max(0, (this.map.getZoom() - 12) / (CLOSE_ZOOM - 12)));
      const paint = colour(`--map-${layer}`);
      shape.setStyle(isArea ? { fillColor: paint } : { color: paint, weight: far + (near - far) * share });
    });
  }

  private paint(): void {
    for (const one of this.restyle) one();
  }

  fit(points: [number, number][]): void {
    if (!points.length) return;
    this.map.invalidateSize({ animate: false });
    this.home = L.latLngBounds(points);
    this.map.fitBounds(this.home, { ...ROOM, maxZoom: CLOSE_ZOOM, animate: false });
  }

  showAll(): void {
    if (this.home) this.map.fitBounds(this.home, { ...ROOM, maxZoom: CLOSE_ZOOM });
  }

  // The longest round distance that a fifth of the map's width can show.
  private measure(): void {
    const { x } = this.map.getSize();
    const at = this.map.getSize().y / 2;
    const far = this.map.containerPointToLatLng([x / 5, at]).distanceTo(this.map.containerPointToLatLng([0, at]));
    if (!far) return;
    const power = 10 ** Math.floor(Math.log10(far));
    const round = [5, 2, 1].map((step) => step * power).find((length) => length <= far) ?? power;
    this.scale.style.width = `${((x / 5) * round) / far}px`;
    this.scale.textContent = round >= 1000 ? `${round / 1000} km` : `${round} m`;
  }
}

export function label(text: string): HTMLElement {
  return el("bdi", { class: "label" }, text.length > 90 ? `${text.slice(0, 89)}…` : text);
}
