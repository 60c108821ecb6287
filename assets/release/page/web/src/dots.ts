// Places as dots on one canvas, which is drawn with a margin and moved while the map is: twenty thousand stay smooth.

import type { FrameState } from "ol/Map";
import Layer from "ol/layer/Layer";
import { zoomOf } from "./mapstyle";

export interface Dot {
  x: number;
  y: number;
  kind: string;
}

const MARGIN = 0.3;
const CELL_M = 200;

export class Dots<D extends Dot> {
  readonly layer: Layer;
  private readonly canvas = document.createElement("canvas");
  private dots: D[] = [];
  private cells = new Map<string, D[]>();
  private drawn: { x: number; y: number; resolution: number; width: number; height: number; ratio: number } | undefined;
  private colours: Record<string, string> = {};
  private hidden = new Set<string>();
  // The radius in pixels of a dot where a town fills the map: many are drawn small.
  private base = 3;

  constructor() {
    this.canvas.className = "dots";
    this.layer = new Layer({ render: (frame) => this.render(frame as FrameState), zIndex: 20 });
  }

  // Dots from the bottom up.
  set(dots: D[]): void {
    this.dots = dots;
    this.base = Math.min(3, Math.max(1.5, 3 - 0.9 * Math.log10(dots.length / 200)));
    this.cells = new Map();
    for (const dot of dots) {
      const key = `${Math.floor(dot.x / CELL_M)}/${Math.floor(dot.y / CELL_M)}`;
      const cell = this.cells.get(key);
      if (cell) cell.push(dot);
      else this.cells.set(key, [dot]);
    }
    this.again();
  }

  paint(colours: Record<string, string>): void {
    this.colours = colours;
    this.again();
  }

  hide(kinds: Set<string>): void {
    this.hidden = kinds;
    this.again();
  }

  private again(): void {
    this.drawn = undefined;
    this.layer.changed();
  }

  private radius(zoom: number, kind: string): number {
    const size = Math.min(7, Math.max(this.base, this.base * 1.22 ** (zoom - 12)));
    return kind === "transit" || kind === "stop" ? size * 0.55 : size;
  }

  // The nearest dot within some pixels of a point on the ground.
  at(x: number, y: number, resolution: number, reachPx = 9): D | undefined {
    const reach = Math.max(reachPx, this.radius(zoomOf(resolution), "") + 3) * resolution;
    let best: D | undefined;
    let least = reach * reach;
    const cells = Math.ceil(reach / CELL_M);
    if (cells > 40) return undefined;
    const [cx, cy] = [Math.floor(x / CELL_M), Math.floor(y / CELL_M)];
    for (let dx = -cells; dx <= cells; dx += 1)
      for (let dy = -cells; dy <= cells; dy += 1)
        for (const dot of this.cells.get(`${cx + dx}/${cy + dy}`) ?? []) {
          if (this.hidden.has(dot.kind)) continue;
          const off = (dot.x - x) ** 2 + (dot.y - y) ** 2;
          if (off < least) [best, least] = [dot, off];
        }
    return best;
  }

  private render(frame: FrameState): HTMLElement {
    const { center, resolution } = frame.viewState;
    const [width = 0, height = 0] = frame.size;
    const [x = 0, y = 0] = center;
    const drawn = this.drawn;
    const isMoving = Boolean(frame.viewHints[0] || frame.viewHints[1]);
    const isNear =
      drawn !== undefined &&
      Math.abs(x - drawn.x) / resolution < width * MARGIN &&
      Math.abs(y - drawn.y) / resolution < height * MARGIN &&
      drawn.width === width && drawn.height === height && drawn.ratio === frame.pixelRatio;
    const isSame = drawn !== undefined && drawn.resolution === resolution;
    if (!isNear || (!isSame && !isMoving)) this.redraw(x, y, resolution, width, height, frame.pixelRatio);
    const at = this.drawn;
    if (at) {
      const scale = at.resolution / resolution;
      const left = (at.x - x) / resolution + width / 2 - (width / 2 + width * MARGIN) * scale;
      const top = (y - at.y) / resolution + height / 2 - (height / 2 + height * MARGIN) * scale;
      this.canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    }
    return this.canvas;
  }

  private redraw(x: number, y: number, resolution: number, width: number, height: number, ratio: number): void {
    const wide = width * (1 + 2 * MARGIN);
    const high = height * (1 + 2 * MARGIN);
    this.drawn = { x, y, resolution, width, height, ratio };
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(high * ratio);
    this.canvas.style.width = `${wide}px`;
    this.canvas.style.height = `${high}px`;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const zoom = zoomOf(resolution);
    const stamps = new Map<string, HTMLCanvasElement>();
    for (const dot of this.dots) {
      if (this.hidden.has(dot.kind)) continue;
      const left = ((dot.x - x) / resolution + wide / 2) * ratio;
      const top = ((y - dot.y) / resolution + high / 2) * ratio;
      if (left < -20 || top < -20 || left > wide * ratio + 20 || top > high * ratio + 20) continue;
      let stamp = stamps.get(dot.kind);
      if (!stamp) stamps.set(dot.kind, (stamp = this.stamp(dot.kind, this.radius(zoom, dot.kind) * ratio)));
      context.drawImage(stamp, Math.round(left - stamp.width / 2), Math.round(top - stamp.height / 2));
    }
  }

  private stamp(kind: string, radius: number): HTMLCanvasElement {
    const made = document.createElement("canvas");
    const edge = Math.min(1.4, radius * 0.4);
    made.width = made.height = Math.ceil(radius * 2.5 + edge * 2 + 2);
    const context = made.getContext("2d");
    if (!context) return made;
    const middle = made.width / 2;
    // Kinds differ by shape too, of about one size: for those who see no colours, and on paper.
    if (kind === "stay") context.rect(middle - radius * 0.89, middle - radius * 0.89, radius * 1.78, radius * 1.78);
    else if (kind === "attraction") {
      for (const [x, y] of [[1, 0], [0, 1], [-1, 0], [0, -1]] as const) context.lineTo(middle + x * radius * 1.25, middle + y * radius * 1.25);
      context.closePath();
    } else context.arc(middle, middle, radius, 0, 2 * Math.PI);
    context.fillStyle = this.colours[kind] ?? this.colours["other"] ?? "#000";
    context.fill();
    context.lineWidth = edge;
    context.strokeStyle = this.colours["halo"] ?? "#fff";
    context.stroke();
    return made;
  }
}
