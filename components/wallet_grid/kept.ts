export type Row = [id: string, name: string, picture: string, badge: string, connector: string];
export type Page = { list: number; number: number; rows: Row[]; more: boolean };
type Kept = { list: number; number: number; rows: Row[] };
export type Installed = { id: string; name: string; icon: string };
export type Shown = { kind: "listed" | "connector"; id: string; name: string; picture: string; certified: boolean; installed: boolean };

const IMAGES = "/images/wallet/";

// Outlives the view, so that the way back leads to the same place of the list.
const memory = { list: -1, number: 0, rows: [] as Row[], known: new Set<string>(), top: 0 };

/** Adds a page to what is there, each wallet once. The same page again changes nothing. */
export function keep(page: Page): Kept {
  if (page.list !== memory.list) {
    Object.assign(memory, { list: page.list, number: 0, rows: [], known: new Set<string>(), top: 0 });
  }
  if (page.number === memory.number + 1) {
    const fresh = page.rows.filter(([id]) => !memory.known.has(id) && memory.known.add(id));
    memory.rows = [...memory.rows, ...fresh];
    memory.number = page.number;
  }
  return kept();
}

/** What is there: `number` is that of the last page. */
export function kept(): Kept {
  return { list: memory.list, number: memory.number, rows: memory.rows };
}

export const place = {
  read: (): number => memory.top,
  write: (top: number): void => {
    memory.top = top;
  },
};

/** Those of the browser first, each in the place that it had before the directory was known to list it; then the others. */
export function inOrder(rows: Row[], installed: Installed[], search: string, certified: boolean): Shown[] {
  const wanted = search.toLowerCase();
  const claimed = new Map<string, Shown>();
  const others: Shown[] = [];
  const again: Shown[] = [];
  for (const [id, name, picture, badge, connector] of rows) {
    const shown: Shown = {
      kind: "listed",
      id,
      name,
      picture: picture && !picture.startsWith("/") ? IMAGES + picture : picture,
      certified: badge === "c",
      installed: connector !== "",
    };
    if (!connector) others.push(shown);
    else if (claimed.has(connector)) again.push(shown);
    else claimed.set(connector, shown);
  }
  const first: Shown[] = [];
  for (const { id, name, icon } of installed) {
    const listed = claimed.get(id);
    claimed.delete(id);
    if (listed) first.push(listed);
    else if (!certified && name.toLowerCase().includes(wanted)) {
      first.push({ kind: "connector", id, name, picture: icon, certified: false, installed: true });
    }
  }
  return [...first, ...claimed.values(), ...again, ...others];
}
