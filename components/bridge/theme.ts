// The host's theme, applied live to the frame's root. Only the eight names, and only values that cannot reach the network.

const NAMES = [
  "--w3m-font-family",
  "--w3m-accent",
  "--w3m-color-mix",
  "--w3m-color-mix-strength",
  "--w3m-font-size-master",
  "--w3m-border-radius-master",
  "--w3m-z-index",
  "--w3m-qr-color",
];
const MAX_VALUE = 200;

type Theme = { mode?: unknown; variables?: unknown };

let mode: string | null = null;
const dark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: light)") : null;

function paint(): void {
  document.documentElement.dataset.theme = mode ?? (dark?.matches ? "light" : "dark");
}

/** Takes over a theme; what is unknown or odd is left out. */
export function applyTheme(theme: Theme): void {
  mode = theme.mode === "dark" || theme.mode === "light" ? theme.mode : null;
  paint();
  const given = (theme.variables ?? {}) as Record<string, unknown>;
  for (const name of NAMES) {
    const value = given[name];
    const text = typeof value === "number" ? strengthOrPlain(name, value) : value;
    if (typeof text === "string" && text.length <= MAX_VALUE && !/url\(|image-set\(|[;{}<>\\]/i.test(text)) {
      document.documentElement.style.setProperty(name, text);
    } else {
      document.documentElement.style.removeProperty(name);
    }
  }
}

function strengthOrPlain(name: string, value: number): string {
  return name === "--w3m-color-mix-strength" ? `${value}%` : String(value);
}

dark?.addEventListener("change", paint);
