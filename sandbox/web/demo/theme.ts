/** Theme mode and theme variables, of the page and of the modal alike. */
import type { Modal } from "./modal";
import { part } from "./page";

const KEY = "walletmodal-demo-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Wire the switch at the top; works without a modal too. */
export function wireThemeMode(modal: Modal | undefined): void {
  const radios = [...document.querySelectorAll<HTMLInputElement>('input[name="theme"]')];
  let chosen = remembered();
  let byVisitor = chosen !== "system";

  function apply(): void {
    const mode = chosen === "system" ? (system.matches ? "dark" : "light") : chosen;
    document.documentElement.dataset.theme = mode;
    // Until the visitor chooses, the modal keeps the mode that its options or the system give it.
    if (byVisitor) modal?.setThemeMode(mode);
  }

  for (const radio of radios) {
    radio.checked = radio.value === chosen;
    radio.addEventListener("change", () => {
      chosen = modeOf(radio.value);
      byVisitor = true;
      remember(chosen);
      apply();
    });
  }
  system.addEventListener("change", apply);
  apply();
}

/** Wire the controls for accent, corners and text size. */
export function wireThemeVariables(modal: Modal): void {
  const accent = part<HTMLInputElement>("accent");
  const radius = part<HTMLInputElement>("radius");
  const size = part<HTMLInputElement>("size");
  for (const input of [accent, radius, size]) {
    input.addEventListener("input", () => {
      const variables = {
        "--w3m-accent": accent.value,
        "--w3m-border-radius-master": `${radius.value}px`,
        "--w3m-font-size-master": `${size.value}px`,
      };
      modal.setThemeVariables(variables);
      part("variables").textContent = `setThemeVariables(${JSON.stringify(variables, null, 2)})`;
    });
  }
}

type Mode = "light" | "dark" | "system";

function modeOf(value: string | null): Mode {
  return value === "light" || value === "dark" ? value : "system";
}

function remembered(): Mode {
  try {
    return modeOf(localStorage.getItem(KEY));
  } catch {
    return "system";
  }
}

function remember(mode: Mode): void {
  try {
    localStorage.setItem(KEY, mode);
  } catch {
    // Storage is denied: the choice then lasts as long as the page.
  }
}
