// What the page is given: the shapes of its four data blocks, and how they are read.

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
}

export type Ground = Record<string, number[][]>;
export type Place = [string, number, number];

export interface Maps {
  grounds: Record<string, Ground>;
  places: Record<string, Record<string, Place[]>>[];
}

// What for, name, when, note, and where it is known, latitude and longitude.
export type Stop = [string, string, string, string, number?, number?];

export interface Day {
  title: string;
  note: string;
  stops: Stop[];
}

export interface Detail {
  asks: [string, string][];
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
  return JSON.parse(text("overview"));
}

// The first view needs only the overview: the rest is unpacked once a frame has been drawn.
function drawn(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

async function unpacked<T>(id: string): Promise<T> {
  await drawn();
  const letters = atob(text(id).trim());
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function once<T>(id: string): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => (found ??= unpacked<T>(id));
}

export const maps = once<Maps>("maps");
export const details = once<Record<string, Detail>[]>("details");
export const provenance = once<Provenance[]>("provenance");
