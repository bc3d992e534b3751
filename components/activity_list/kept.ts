export type Page = { list: number; number: number; entries: string; texts: string[]; more: boolean };
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
export type Kept = { list: number; number: number; texts: string[]; months: Month[]; count: number };

type RawLine = [text: number, picture: number, nft: number, direction: string];
type RawEntry = [
  id: string,
  hash: string,
  title: number,
  day: number,
  status: string,
  badge: string,
  exchange: number,
  lines: RawLine[],
  more: number,
];
type Raw = { pictures: string[]; months: [title: number, entries: RawEntry[]][] };

const NOTHING: Kept = { list: -1, number: 0, texts: [], months: [], count: 0 };

// Outlives the view, so that the way back leads to the pages that were there.
let memory = NOTHING;
let known = new Set<string>();

/** Adds a page to what is there, each transaction once. The same page again changes nothing; in another language, it begins anew. */
export function keep(page: Page): Kept {
  const said = page.number === memory.number && page.texts.some((text, index) => text !== memory.texts[index]);
  if (page.list !== memory.list || said) {
    memory = { ...NOTHING, list: page.list };
    known = new Set();
  }
  if (page.number === memory.number + 1 && page.entries) {
    const months = joined(memory.months, read(page));
    const count = months.reduce((sum, month) => sum + month.entries.length, 0);
    memory = { list: page.list, number: page.number, texts: page.texts, months, count };
  }
  return memory;
}

/** What is there: `number` is that of the last page. */
export function kept(): Kept {
  return memory;
}

function read({ entries: json, texts }: Page): Month[] {
  const { pictures, months } = JSON.parse(json) as Raw;
  const said = (number: number): string => texts[number] ?? "";
  const entry = ([id, hash, title, day, status, badge, exchange, lines, more]: RawEntry): Entry => ({
    id,
    hash,
    title: said(title),
    day: said(day),
    status,
    badge,
    exchange: exchange === 1,
    lines: lines.map(([text, picture, nft, direction]) => ({
      text: said(text),
      picture: pictures[picture] ?? "",
      nft: nft === 1,
      direction,
    })),
    more,
  });
  return months.map(([title, entries]) => ({
    title: said(title),
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
