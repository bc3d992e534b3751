/** The modal's theme: dark or light, and the host's accent. Nothing else of a host's taste reaches this page. */
import { isObject, text, type Data, type DataObject } from "./clean";

const ACCENT = "--w3m-accent";

export function applyTheme(payload: DataObject): void {
  const { themeMode, themeVariables, w3mThemeVariables } = payload;
  const root = document.documentElement;
  if (themeMode === "dark" || themeMode === "light") root.dataset["theme"] = themeMode;
  const accent = accentOf(themeVariables) ?? accentOf(w3mThemeVariables);
  if (accent) root.style.setProperty(ACCENT, accent);
}

function accentOf(given: Data | undefined): string | undefined {
  const accent = isObject(given) ? text(given[ACCENT], 64) : undefined;
  // A value that refers to another one could leave the text without a colour.
  return accent && !/var|url|attr/i.test(accent) && CSS.supports("color", accent) ? accent : undefined;
}
