// Light, dark, or as the reader's system has it; maps are told when it changes.

import { el } from "./dom";

const KEY = "tripwright-theme";
const THEMES = ["auto", "light", "dark"] as const;
const NAMES = { auto: "system", light: "light", dark: "dark" };
type Theme = (typeof THEMES)[number];

function kept(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "auto";
  } catch {
    return "auto"; // a browser may refuse storage to a local file
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // then the choice lasts as long as the page is open
  }
}

export function setUpTheme(button: HTMLButtonElement): void {
  let theme = kept();
  const show = () => {
    document.documentElement.dataset["theme"] = theme;
    button.replaceChildren(el("span", { class: "roomy" }, "Theme: "), NAMES[theme]);
    button.setAttribute("aria-label", `Theme: ${NAMES[theme]}`);
    document.dispatchEvent(new Event("themechange"));
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
    keep(theme);
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
}

// The colour of a custom property as it is now: canvases need it resolved.
export function colour(property: string): string {
  const probe = el("span", { hidden: true });
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

// Whether the page is dark as it is now.
export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}
