// A city's basemap: unpacked from its numbers, cut into tiles for drawing, its names kept whole.
// The format is told in assets/release/basemap/pack.py.

import Feature from "ol/Feature";
import LineString from "ol/geom/LineString";
import Point from "ol/geom/Point";
import RenderFeature from "ol/render/Feature";
import VectorTileSource from "ol/source/VectorTile";
import TileGrid from "ol/tilegrid/TileGrid";
import type VectorTile from "ol/VectorTile";
import GeoJSONVT from "geojson-vt";
import { bytesOf, gunzip } from "./data";

const TILE_PX = 512;
const TILE_UNITS = 4096;
// Once around the globe in web Mercator.
const ROUND_M = 2 * Math.PI * 6_378_137;
// A tile of the last level is about this wide on the ground; nearer, the same tiles are drawn larger.
const LAST_TILE_M = 400;

interface Header {
  format: number;
  origin: [number, number];
  unit: number;
  size: [number, number];
  covers: [number, number, number, number];
  names: string[];
  layers: { layer: string; shape: "area" | "line"; features: number; structure: number; points: number }[];
  labels: [string, string, number, number, number][];
  notes: string[];
}

export interface Basemap {
  source: VectorTileSource;
  names: Feature[];
  // West, south, east, north in web Mercator of what the sources tell of.
  covers: [number, number, number, number];
  notes: string[];
}

// The features of geojson-vt's input, which takes degrees: ours are positions in the square around the city.
interface Flat {
  type: "Feature";
  geometry: { type: "Polygon" | "LineString"; coordinates: unknown };
  properties: { layer: string; form: number };
}

class Numbers {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  next(): number {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = this.bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * weight;
      if (byte < 0x80) return value;
      weight *= 128;
    }
  }

  step(): number {
    const value = this.next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

// `middle` is the longitude of the city's middle, on the side of the globe where the page has it.
export async function basemap(packed: string, middle: number): Promise<Basemap> {
  const bytes = await gunzip(bytesOf(packed));
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const header: Header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  if (header.format !== 1) throw new Error(`found a map of format ${header.format}; expected 1`);
  const side = Math.max(...header.size);
  const [origin, south] = header.origin;
  const west = origin + ROUND_M * Math.round(middle / 360 - (origin + (header.size[0] * header.unit) / 2) / ROUND_M);
  const features: Flat[] = [];
  const names: Feature[] = [];
  let at = 4 + length;
  for (const { layer, shape, features: many, structure, points } of header.layers) {
    const shapes = new Numbers(bytes.subarray(at, at + structure));
    const steps = new Numbers(bytes.subarray(at + structure, at + structure + points));
    at += structure + points;
    let x = 0;
    let y = 0;
    for (let n = 0; n < many; n += 1) {
      const name = header.names[shapes.next() - 1];
      const form = shapes.next();
      const parts = Array.from({ length: shapes.next() }, () => shapes.next());
      const rings: [number, number][][] = [];
      const ground: number[][] = [];
      for (const size of parts) {
        const ring: [number, number][] = [];
        for (let p = 0; p < size; p += 1) {
          x += steps.step();
          y += steps.step();
          ring.push([degreesEast(x / side), degreesNorth(y / side)]);
          if (name) ground.push([west + x * header.unit, south + y * header.unit]);
        }
        if (shape === "area" && ring[0]) ring.push(ring[0]);
        rings.push(ring);
      }
      const geometry = shape === "area" ? { type: "Polygon" as const, coordinates: rings } : { type: "LineString" as const, coordinates: rings[0] };
      features.push({ type: "Feature", geometry, properties: { layer, form } });
      if (name) names.push(new Feature({ geometry: new LineString(ground), kind: "street", layer, name }));
    }
  }
  for (const [kind, name, x, y, rank] of header.labels)
    names.push(new Feature({ geometry: new Point([west + x * header.unit, south + y * header.unit]), kind, name, rank }));
  const [x1, y1, x2, y2] = header.covers;
  return {
    source: tiles(features, west, south, side, header.unit),
    names,
    covers: [west + x1 * header.unit, south + y1 * header.unit, west + x2 * header.unit, south + y2 * header.unit],
    notes: header.notes,
  };
}

const degreesEast = (share: number) => share * 360 - 180;
const degreesNorth = (share: number) => (Math.atan(Math.sinh(Math.PI * (2 * share - 1))) * 180) / Math.PI;

function tiles(features: Flat[], west: number, south: number, side: number, unit: number): VectorTileSource {
  const wide = side * unit;
  const levels = Math.max(0, Math.min(9, Math.ceil(Math.log2((side * 0.25) / LAST_TILE_M))));
  const index = new GeoJSONVT({ type: "FeatureCollection", features } as never, { maxZoom: levels, indexMaxZoom: 3, extent: TILE_UNITS, buffer: 160, tolerance: 3 });
  const extent = [west, south, west + wide, south + wide];
  const grid = new TileGrid({ extent, origin: [west, south + wide], tileSize: TILE_PX, resolutions: Array.from({ length: levels + 1 }, (_, z) => wide / TILE_PX / 2 ** z) });
  return new VectorTileSource({
    tileGrid: grid,
    wrapX: false,
    tileUrlFunction: ([z, x, y]) => `${z}/${x}/${y}`,
    tileLoadFunction: (tile, url) => {
      const [z = 0, x = 0, y = 0] = url.split("/").map(Number);
      (tile as VectorTile<RenderFeature>).setLoader(() => {
        const span = wide / 2 ** z;
        const found = index.getTileRaw(z, x, y)?.features ?? [];
        (tile as VectorTile<RenderFeature>).setFeatures(
          found.flatMap((one) => {
            if (one.type !== 2 && one.type !== 3) return [];
            const flat: number[] = [];
            const ends: number[] = [];
            for (const ring of one.geometry) {
              for (let at = 0; at < ring.length; at += 2)
                flat.push(west + (x + (ring[at] ?? 0) / TILE_UNITS) * span, south + wide - (y + (ring[at + 1] ?? 0) / TILE_UNITS) * span);
              ends.push(flat.length);
            }
            return [new RenderFeature(one.type === 3 ? "Polygon" : "MultiLineString", flat, ends, 2, one.tags ?? {}, undefined)];
          }),
        );
      });
    },
  });
}
