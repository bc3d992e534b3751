/** Theme variables that a host has set further than style sheets follow them. */
import type { Options } from "../../walletmodal";

/** Between which a variable (px, z-index) leaves texts readable and the modal in front; style sheets keep to them. */
const BOUNDS = [
  ["--w3m-font-size-master", 8, 14],
  ["--w3m-border-radius-master", 0, 10],
  ["--w3m-z-index", 1, 2147483647],
] as const;

/** Tells the host on its console of those out of bounds. */
export function checkTheme({ themeVariables }: Options): void {
  for (const [name, least, most] of BOUNDS) {
    const value = (themeVariables?.[name] ?? least) + "";
    const size = parseFloat(value) * (/em$/.test(value) ? 16 : 1);
    if (!(size >= least && size <= most)) console.warn(`WalletModal: ${name}: ${value} is out of bounds (${least} to ${most})`);
  }
}
