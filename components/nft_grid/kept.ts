export type Page = { list: number; number: number; entries: string; more: boolean };
export type Nft = { asset: string; name: string; collection: string; picture: string; amount: string };
export type Kept = { list: number; number: number; nfts: Nft[] };

type Raw = [asset: string, name: string, collection: string, picture: string, amount: string];

const NOTHING: Kept = { list: -1, number: 0, nfts: [] };

// Outlives the view, so that the way back from an NFT leads to the same place.
let memory = NOTHING;
let top = 0;

/** Adds a page to what is there, each NFT once. The same page again changes nothing. */
export function keep(page: Page): Kept {
  if (page.list !== memory.list) {
    memory = { ...NOTHING, list: page.list };
    if (page.number === 0) top = 0;
  }
  if (page.number === memory.number + 1 && page.entries) {
    const known = new Set(memory.nfts.map((nft) => nft.asset));
    const fresh = (JSON.parse(page.entries) as Raw[])
      .filter(([asset]) => !known.has(asset) && known.add(asset))
      .map(([asset, name, collection, picture, amount]) => ({ asset, name, collection, picture, amount }));
    memory = { list: page.list, number: page.number, nfts: [...memory.nfts, ...fresh] };
  }
  return memory;
}

/** What is there: `number` is that of the last page. */
export function kept(): Kept {
  return memory;
}

export const place = {
  read: (): number => top,
  write: (now: number): void => {
    top = now;
  },
};
