// The host's theme, applied live to the frame's root. Only these names (the place above the host page is the loader's), and only values that cannot reach the network.

const NAMES = [
  "--w3m-font-family",
  "--w3m-accent",
  "--w3m-color-mix",
  "--w3m-color-mix-strength",
  "--w3m-font-size-master",
  "--w3m-border-radius-master",
  "--w3m-qr-color",
];
const MAX_VALUE = 200;

type Theme = { mode?: unknown; variables?: unknown };

let mode: string | null = null;
const dark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: light)") : null;

function paint(): void {
  document.documentElement.dataset.theme = mode ?? (dark?.matches ? "light" : "dark");
}

let latest: Theme = {};
let allowed: string[] | undefined;

/** Says which of `themeMode` and `themeVariables` a host may change, undefined: both; what it wanted last is looked at anew. */
export function permitTheme(names: string[] | undefined): void {
  allowed = names;
  applyTheme(latest);
}

/** Takes over a theme; what is unknown, odd or not the host's to change is left out. */
export function applyTheme(theme: Theme): void {
  latest = theme;
  const may = (name: string) => !allowed || allowed.includes(name);
  mode = may("themeMode") && (theme.mode === "dark" || theme.mode === "light") ? theme.mode : null;
  paint();
  const given = ((may("themeVariables") && theme.variables) || {}) as Record<string, unknown>;
  for (const name of NAMES) {
    const text = cssText(name, given[name]);
    if (text && text.length <= MAX_VALUE && !/url\(|image-set\(|[;{}<>\\]/i.test(text)) {
      document.documentElement.style.setProperty(name, text);
    } else {
      document.documentElement.style.removeProperty(name);
    }
  }
}

/** The value as CSS text, "" for what is none; a strength without a unit is a percentage. */
function cssText(name: string, value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const text = String(value).trim();
  return name === "--w3m-color-mix-strength" && /^[\d.]+$/.test(text) ? `${text}%` : text;
}

dark?.addEventListener("change", paint);
