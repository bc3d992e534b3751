export type Page = { list: number; number: number; entries: string; more: boolean };
export type Line = { text: string; picture: string; nft: boolean; direction: string };
export type Entry = {
  id: string;
  hash: string;
  title: string;
  day: string;
  status: string;
  badge: string;
  exchange: boolean;
  lines: Line[];
  more: number;
};
export type Month = { title: string; entries: Entry[] };
export type Kept = { list: number; number: number; months: Month[]; count: number };

type RawLine = [text: string, picture: number, nft: number, direction: string];
type RawEntry = [
  id: string,
  hash: string,
  title: string,
  day: string,
  status: string,
  badge: string,
  exchange: number,
  lines: RawLine[],
  more: number,
];
type Raw = { pictures: string[]; months: [title: string, entries: RawEntry[]][] };

const NOTHING: Kept = { list: -1, number: 0, months: [], count: 0 };

// Outlives the view, so that the way back leads to the pages that were there.
let memory = NOTHING;
let known = new Set<string>();

/** Adds a page to what is there, each transaction once. The same page again changes nothing. */
export function keep(page: Page): Kept {
  if (page.list !== memory.list) {
    memory = { ...NOTHING, list: page.list };
    known = new Set();
  }
  if (page.number === memory.number + 1 && page.entries) {
    const months = joined(memory.months, read(page.entries));
    const count = months.reduce((sum, month) => sum + month.entries.length, 0);
    memory = { list: page.list, number: page.number, months, count };
  }
  return memory;
}

/** What is there: `number` is that of the last page. */
export function kept(): Kept {
  return memory;
}

function read(text: string): Month[] {
  const { pictures, months } = JSON.parse(text) as Raw;
  const entry = ([id, hash, title, day, status, badge, exchange, lines, more]: RawEntry): Entry => ({
    id,
    hash,
    title,
    day,
    status,
    badge,
    exchange: exchange === 1,
    lines: lines.map(([words, picture, nft, direction]) => ({
      text: words,
      picture: pictures[picture] ?? "",
      nft: nft === 1,
      direction,
    })),
    more,
  });
  return months.map(([title, entries]) => ({
    title,
    entries: entries.filter(([id]) => !known.has(id) && known.add(id)).map(entry),
  }));
}

/** A month that a page breaks off goes on with the next page; those that do not change stay the same objects. */
function joined(before: Month[], added: Month[]): Month[] {
  const all = [...before];
  for (const month of added) {
    const at = all.findIndex((one) => one.title === month.title);
    const begun = all[at];
    if (begun) all[at] = { title: month.title, entries: [...begun.entries, ...month.entries] };
    else all.push(month);
  }
  return all.filter((month) => month.entries.length > 0);
}

/** The first so many entries, month by month. */
export function first(months: Month[], count: number): Month[] {
  const shown: Month[] = [];
  let left = count;
  for (const month of months) {
    if (left <= 0) break;
    shown.push(month.entries.length <= left ? month : { ...month, entries: month.entries.slice(0, left) });
    left -= month.entries.length;
  }
  return shown;
}
