/** How addresses and balances are written, and the colour that an address has. */

/** The first and the last characters of a text with three dots between them, or the whole if that is no longer. */
export function truncate(text: string, start: number, end: number): string {
  return text.length > start + end ? text.slice(0, start) + "..." + text.slice(text.length - end) : text;
}

/** A balance rounded down to three decimals, without padding, with commas between thousands; "0.000" for zero and for what is no number. */
export function floorBalance(balance: string): string {
  const text = /^\d+(\.\d{0,2}[1-9])?/.exec(balance)?.[0] ?? "";
  return /[1-9]/.test(text) ? text.replace(/\B(?=(\d{3})+(\.|$))/g, ",") : "0.000";
}

/** The colour that the first six hex digits of an address spell, lilac without any; the avatar consists of its tints. */
export const colourOf = (address: string): string => "#" + (address.replace(/^0x|[^\da-f]/gi, "") + "9a8ee8").slice(0, 6);
