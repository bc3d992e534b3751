/** Elements without markup: everything that is shown is text. */

type Attributes = Record<string, string | boolean | undefined>;

/** Makes an element with attributes, and with children that are elements or texts. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string | null | undefined | false)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) if (child) made.append(child);
  return made;
}

/** The value of one of the page's `<meta name>`, which begin with `walletmodal-`. */
export const meta = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="walletmodal-${name}"]`)?.content ?? "";
