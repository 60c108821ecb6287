// The task browser: search and filters over a list, and one task beside it. A task has an address: #task=ID.

import type { Listed, Overview } from "./data";
import { details, visitedCities } from "./data";
import { count, el, foreign, near, plural, section, sentence } from "./dom";
import { TaskView } from "./task";

// A phone shows the list above the task: few at first keep that in reach.
const isNarrow = matchMedia("(max-width: 900px)").matches;
const AT_FIRST = isNarrow ? 3 : 40;
const AT_ONCE = isNarrow ? 12 : 40;
const PREFIX = "#task=";

export const address = (id: string) => `${PREFIX}${encodeURIComponent(id)}`;

function chooser(name: string, all: string, values: [string, string][], changed: () => void): HTMLSelectElement {
  return el("select", { "aria-label": name, onchange: changed }, el("option", { value: "" }, all), ...values.map(([value, text]) => el("option", { value }, text)));
}

export function tasks(of: Overview): HTMLElement {
  // The task that was chosen to begin with is the first of the list too.
  const all = [...of.tasks].sort((a, b) => Number(b.id === of.first) - Number(a.id === of.first));
  const cityNames = new Map(of.cities.map((city) => [city.city_id, city.name]));
  const texts = all.map((task) => [task.id, task.title, task.query, ...task.cities.map((id) => cityNames.get(id) ?? id)].join("\n").toLowerCase());
  const distinct = (pick: (task: Listed) => string[]) => [...new Set(of.tasks.flatMap(pick))].filter(Boolean);

  const changed = () => {
    limit = AT_FIRST;
    filter();
  };
  // What people of a group say is searched too, once somebody searches.
  const withMessages = async () => {
    const told = await details();
    all.forEach((task, n) => {
      const said = told[task.release]?.[task.id]?.messages.map(([, what]) => what) ?? [];
      texts[n] = [texts[n], ...said].join("\n").toLowerCase();
    });
    filter();
  };
  const search = el("input", { type: "search", placeholder: "Search wording, messages, title or id", "aria-label": "Search tasks", autocomplete: "off", spellcheck: "false", oninput: changed });
  const family = chooser("Family", "All families", of.releases.map((release, n) => [String(n), release.family_title]), changed);
  const order = ["easy", "medium", "hard"];
  const levels = distinct((task) => [task.difficulty]).sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const difficulty = chooser("Difficulty", "Any difficulty", levels.map((level) => [level, level]), changed);
  const splits = ["train", "validation", "test"].filter((name) => of.tasks.some((task) => task.split === name));
  const split = chooser("Split", "Any split", splits.map((name) => [name, name]), changed);
  const city = chooser("City", "All cities", distinct((task) => task.cities).map((id): [string, string] => [id, cityNames.get(id) ?? id]).sort((a, b) => a[1].localeCompare(b[1])), changed);
  const lengths = distinct((task) => [task.days ? String(task.days) : ""]).sort((a, b) => Number(a) - Number(b));
  const days = chooser("Length", "Any length", lengths.map((n) => [n, `${n} days`]), changed);
  const status = el("p", { class: "small", role: "status", "aria-live": "polite" });
  const list = el("ol", { class: "list", "aria-label": "Tasks found" });
  const more = el("button", { type: "button", class: "quiet more" }, "Show more");
  search.addEventListener("input", () => void withMessages(), { once: true });
  const view = new TaskView(of);

  let limit = AT_FIRST;
  let found: Listed[] = [];
  let current = "";
  const rows = new Map<string, HTMLElement>();

  function row(task: Listed): HTMLElement {
    const known = rows.get(task.id);
    if (known) return known;
    const made = el(
      "li",
      {},
      el(
        "a",
        { href: address(task.id), "data-id": task.id },
        el("span", { class: "title" }, sentence(task.title)),
        el("span", { class: "snippet" }, sentence(task.query)),
        el(
          "span",
          { class: "meta" },
          task.difficulty ? el("span", { class: `level ${task.difficulty}` }, task.difficulty) : null,
          task.split ? el("span", { class: "level" }, task.split) : null,
          el("span", {}, foreign(task.cities.map((id) => cityNames.get(id) ?? id).join(", "))),
        ),
      ),
    );
    rows.set(task.id, made);
    return made;
  }

  function filter(): void {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = all.filter(
      (task, n) =>
        wanted.every((word) => texts[n]?.includes(word)) &&
        (!family.value || task.release === Number(family.value)) &&
        (!difficulty.value || task.difficulty === difficulty.value) &&
        (!split.value || task.split === split.value) &&
        (!city.value || task.cities.includes(city.value)) &&
        (!days.value || task.days === Number(days.value)),
    );
    list.replaceChildren(...found.slice(0, limit).map(row));
    more.hidden = found.length <= limit;
    status.textContent = found.length === of.tasks.length ? plural(found.length, "task") : `${count(found.length)} of ${plural(of.tasks.length, "task")}`;
    if (!found.length) list.append(el("li", { class: "none" }, "No task fits. Take a filter away, or search for fewer words."));
    mark();
  }

  function mark(): void {
    for (const link of list.querySelectorAll("a")) {
      if (link.dataset["id"] === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  more.addEventListener("click", () => {
    const first = found[limit];
    limit += AT_ONCE;
    filter();
    if (first) rows.get(first.id)?.querySelector("a")?.focus();
  });

  // Down and up walk through the list, from the search field too.
  const step = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement) + (event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
    (at < 0 ? search : links[at])?.focus();
  };
  search.addEventListener("keydown", step);
  list.addEventListener("keydown", step);

  const browser = el("div", { class: "browser" });

  async function open(): Promise<void> {
    const id = location.hash.startsWith(PREFIX) ? decodeURIComponent(location.hash.slice(PREFIX.length)) : "";
    const asked = of.tasks.find((one) => one.id === id);
    browser.classList.toggle("reading", Boolean(asked));
    const task = asked ?? (current && location.hash ? undefined : (of.tasks.find((one) => one.id === of.first) ?? of.tasks[0]));
    if (!task) return;
    if (!asked) {
      await near(browser);
      if (location.hash.startsWith(PREFIX)) return; // a task was asked for meanwhile
    }
    current = task.id;
    mark();
    await view.show(task, Boolean(asked));
  }

  browser.append(
    el(
      "div",
      { class: "finder" },
      search,
      el("div", { class: "filters" }, of.releases.length > 1 ? family : null, levels.length > 1 ? difficulty : null, splits.length > 1 ? split : null, visitedCities(of).length > 1 ? city : null, lengths.length > 1 ? days : null),
      status,
      list,
      more,
    ),
    view.element,
  );
  filter();
  addEventListener("hashchange", () => void open());
  void open();
  return section("tasks", "The tasks", "What is asked, the plan that proves it can be done, and where every value of both comes from.", browser);
}
