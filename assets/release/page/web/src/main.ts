// The page: put together from its data, section by section.

import "./trusted";
import { charts, difficulty } from "./charts";
import { cities } from "./cities";
import { overview } from "./data";
import { el } from "./dom";
import { ending } from "./ending";
import { flow } from "./flow";
import { head } from "./head";
import { tasks } from "./tasks";
import { setUpTheme } from "./theme";

function start(): void {
  const of = overview();
  setUpTheme(document.getElementById("theme") as HTMLButtonElement);
  const sections = [head(of), cities(of), tasks(of), difficulty(of), charts(of), flow(of), ...ending(of)].filter((one) => one !== null);
  document.getElementById("top")?.replaceChildren(
    ...sections,
    el("footer", {}, el("p", { class: "small" }, "Made by tripwright. This file asks nothing of any server, and runs no text that a source wrote.")),
  );
  const titles: Record<string, string> = { flow: "How it was built", map: "Map", difficulty: "Difficulty", distributions: "Make-up", tasks: "Tasks", licences: "Licences", changes: "Changes" };
  document.getElementById("nav")?.append(...sections.filter((one) => one.id).map((one) => el("a", { href: `#${one.id}` }, titles[one.id] ?? one.id)));
  if (location.hash && !location.hash.includes("=")) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

start();
