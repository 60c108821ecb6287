// What the page is given: the shapes of its data blocks, and how they are read.

import { basemap, type Basemap } from "./basemap";

export interface Release {
  family: string;
  family_title: string;
  version: string;
  counts: { tasks: number; certified: number };
  engines: Record<string, string>;
  choices: { choice_id: string; text: string }[];
  files: [string, number | null, number][];
}

export interface City {
  city_id: string;
  name: string;
  region: string;
  country: string;
  box: [number, number, number, number];
  polygon: [number, number][] | null;
  // False where people only set out from it.
  is_visited: boolean;
}

export interface Step {
  step: string;
  name: string;
  text: string;
  rows_in: number | null;
  rows_out: number;
  merged: number;
  rejected: Record<string, number>;
}

export interface Source {
  name: string;
  title: string;
  files: number;
  size_bytes: number;
  licences: string[];
  retrieved_at: string[];
  is_invented: boolean;
}

export interface Licence {
  licence_id: string;
  title: string;
  sharing: string;
  share_alike: boolean;
  attribution: string[];
  sources: string[];
}

export interface Distribution {
  release: number;
  title: string;
  unit: string;
  from: string;
  bars: [string, number, number | null][];
}

export interface Listed {
  id: string;
  release: number;
  title: string;
  cities: string[];
  difficulty: string;
  days: number;
  split: string;
  query: string;
}

export interface Chapter {
  title: string;
  lines: string[];
  more: number;
}

export interface Overview {
  title: string;
  recipe: string;
  releases: Release[];
  cities: City[];
  missing: { city_id: string; step: string; reason: string }[];
  flow: { sources: Source[]; stages: { name: string; steps: Step[] }[]; reasons: Record<string, string> };
  licences: Licence[];
  is_public: boolean;
  distributions: Distribution[];
  changes: Chapter[][];
  tasks: Listed[];
  // The task to begin with.
  first: string;
  // By release, what a baseline planner reaches, and the witnesses, by each metric.
  difficulty: Measured[][];
  // By release, what the reference planners reach, by level (empty: all), with intervals of 95 %; shares from 0 to 1.
  planners: Reached[][];
}

// A metric of the family: what it says (empty where nobody says it), its unit, and which way is good.
export interface Measured {
  metric: string;
  says: string;
  unit: string;
  better: string;
  baseline: unknown;
  witness: unknown;
}

export interface Reached {
  planner: string;
  level: string;
  tasks: number;
  percent: number;
  percent_low: number | null;
  percent_high: number | null;
  solved: number;
  solved_low: number;
  solved_high: number;
}

// Name, latitude, longitude, our id (or empty), what is known of it as label and value, and its first source records.
export type Place = [string, number, number, string, [string, string][]?, string[]?];

export interface LineRule {
  from: number;
  width: [number, number, number, number];
  dash?: number[];
  casing?: string;
  casing_from?: number;
}

export interface NameRule {
  from: number;
  to: number;
  size: number;
  weight: number;
  ink: string;
  italic?: boolean;
}

// How maps look; declared in assets/release/basemap/style.py.
export interface Look {
  light: Record<string, string>;
  dark: Record<string, string>;
  areas: [string, number][];
  building_edge_zoom: number;
  lines: [string, LineRule][];
  names: [string, NameRule][];
  street_names: Record<string, { from: number; size: number }>;
}

export interface Ground {
  block: number | null;
  kind: string;
  problems: string[];
}

export interface Maps {
  style: Look;
  // For each city the number of its basemap's block in this file, what that is drawn from, and what went wrong.
  grounds: Record<string, Ground>;
  places: Record<string, Record<string, Place[]>>[];
}

// What for, name, when, note, latitude and longitude (null where unknown), our id (or empty).
export type Stop = [string, string, string, string, number | null, number | null, string];

export interface Day {
  title: string;
  note: string;
  stops: Stop[];
  // Where the plan goes along streets: from stop to stop, latitudes and longitudes in turn; none is a straight line.
  ways: (number[] | null)[];
}

export interface Detail {
  asks: [string, string][];
  repairs?: [string, string][];
  messages: [string, string][];
  days: Day[];
  scores: [string, string][];
  remark: string;
  checks: [string, boolean | null][];
}

export interface Ref {
  kind: string;
  ref: string;
  values?: Record<string, string>;
  sources?: [number, string, string | null][];
  more?: number;
}

export interface SourceFile {
  source: string;
  role: string;
  location: string;
  sha256: string;
  licence: string;
  retrieved_at: string | null;
}

export interface Provenance {
  fields: string[];
  refs: Ref[];
  rules: Record<string, string>;
  files: SourceFile[];
  tasks: Record<string, number[]>;
}

function text(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

export function overview(): Overview {
  const of: Overview = JSON.parse(text("overview"));
  onOneSide(of.cities);
  return of;
}

// Let each box's west be less than its east, and all lie in one row that is cut where no city is for the longest: so
// two cities on both sides of the antimeridian are near each other.
function onOneSide(cities: City[]): void {
  for (const { box } of cities) if (box[3] < box[1]) box[3] += 360;
  const sorted = [...cities].sort((one, other) => middleOf(one) - middleOf(other));
  const gaps = sorted.slice(1).map((city, at) => middleOf(city) - middleOf(sorted[at] ?? city));
  const widest = Math.max(0, ...gaps);
  const round = 360 - gaps.reduce((total, gap) => total + gap, 0);
  if (widest <= round) return;
  for (const { box } of sorted.slice(0, gaps.indexOf(widest) + 1)) {
    box[1] += 360;
    box[3] += 360;
  }
}

// The longitude in the middle of a city's box.
export function middleOf({ box }: City): number {
  return (box[1] + box[3]) / 2;
}

// The first view needs only the overview: the rest is unpacked once a frame has been drawn.
function drawn(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

// The cities that trips lead to, without those that people only set out from.
export function visitedCities(of: Overview): City[] {
  return of.cities.filter((city) => city.is_visited);
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64.trim());
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpacked<T>(id: string): Promise<T> {
  await drawn();
  return JSON.parse(new TextDecoder().decode(await gunzip(bytesOf(text(id)))));
}

// The basemap of a city as it stands in the page; nothing where it has none.
const kept = new Map<number, Promise<Basemap>>();
export async function basemapOf(all: Maps, city: City): Promise<Basemap | undefined> {
  const block = all.grounds[city.city_id]?.block;
  if (block === undefined || block === null) return undefined;
  let found = kept.get(block);
  if (!found) kept.set(block, (found = drawn().then(() => basemap(text(`basemap-${block}`), middleOf(city)))));
  return found;
}

function once<T>(id: string): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => (found ??= unpacked<T>(id));
}

export const maps = once<Maps>("maps");
export const details = once<Record<string, Detail>[]>("details");
export const provenance = once<Provenance[]>("provenance");
