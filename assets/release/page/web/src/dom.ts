// Making elements. All text goes in as text: nothing that a source wrote is ever read as HTML.

type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;
type Child = Node | string | null | undefined | false;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(key.slice(2), value as EventListener);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child): child is Node | string => Boolean(child)));
  return made;
}

// A text as somebody else wrote it: its direction of writing stays its own.
export function foreign(text: string): HTMLElement {
  return el("bdi", {}, text);
}

const LETTER = "[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]";
// Names in such letters, with the figures and spaces between them.
const FROM_THE_RIGHT = new RegExp(`((?:${LETTER}\\p{M}*(?:[\\s\\d.'’-]+(?=${LETTER}))?)+)`, "u");

// Words from the left in which names may stand that are written from the right: figures beside a name stay where they are.
export function sentence(text: string): HTMLElement {
  return el("bdi", { dir: "ltr" }, ...text.split(FROM_THE_RIGHT).map((piece, at) => (at % 2 ? foreign(piece) : piece)));
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag: string, attributes: Record<string, string | number>, ...children: SVGElement[]): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

export function plural(value: number, noun: string, many = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : many}`;
}

const SPELLED: Record<string, string> = {
  osm: "OSM", poi: "POI", tripadvisor: "TripAdvisor", tripcraft: "TripCraft", itinbench: "ItinBench",
  overture: "Overture", wikivoyage: "Wikivoyage", big: "Big", mac: "Mac",
};

// An identifier as words within a sentence: names keep their capitals.
export function inWords(identifier: string): string {
  return identifier.split("_").map((word) => SPELLED[word] ?? word).join(" ");
}

export function words(identifier: string): string {
  const spaced = inWords(identifier);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function listed(items: string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

// Wait until the reader is about to see the element: what costs time to draw is drawn then.
export function near(element: HTMLElement): Promise<void> {
  return new Promise((done) => {
    const watch = new IntersectionObserver(
      (seen) => {
        if (!seen.some((one) => one.isIntersecting)) return;
        watch.disconnect();
        done();
      },
      { rootMargin: "600px" },
    );
    watch.observe(element);
  });
}

export function section(id: string, title: string, lead: string, ...children: Child[]): HTMLElement {
  return el(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    el("div", { class: "head" }, el("h2", { id: `${id}-title` }, title), lead ? el("p", { class: "lead" }, lead) : null),
    ...children,
  );
}
