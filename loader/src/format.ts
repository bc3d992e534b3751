/** How addresses and balances are written, and the picture that an address has. */

/** The first and the last characters of a text with three dots between them, or the whole if that is no longer. */
export function truncate(text: string, start: number, end: number): string {
  return text.length > start + end ? text.slice(0, start) + "..." + text.slice(text.length - end) : text;
}

/** A balance rounded down to three decimals, without padding; "0.000" for zero and for what is no number. */
export function floorBalance(balance: string): string {
  const [, whole, decimals = ""] = /^(\d+)(?:\.(\d{0,3})\d*)?$/.exec(balance) ?? [];
  const text = whole && whole.replace(/^0+(?=\d)/, "") + ("." + decimals).replace(/\.?0*$/, "");
  return !text || text == "0" ? "0.000" : text;
}

/** The generated avatar of an address: tints of the colour that its first six hex digits spell. */
export function avatar(address: string): string {
  const base = "#" + address.replace(/^0x|[^\da-f]/gi, "").padEnd(6, "0").slice(0, 6);
  const tint = (white: number, at: number) => `,color-mix(in srgb,${base},#fff ${white}%) ${at}%`;
  return `radial-gradient(88% 88% at 65% 40%,#fff .52%${tint(60, 31.25)}${tint(30, 51.56)}${tint(15, 65.63)}${tint(0, 82.29)}${tint(45, 100)})`;
}
