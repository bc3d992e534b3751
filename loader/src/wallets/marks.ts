/** What wallets have left in the page for others to know them by: the names under `window.ethereum`, and a few of the window itself. */

const MARK = /^[A-Za-z][\w.-]{0,63}$/;
const MAX_MARKS = 64;
const MAX_NAMES = 500;
/** `window.ethereum` is often a proxy or an object of a class, which may have a class above it. */
const DEPTH = 4;
const OF_WINDOW = ["phantom", "coinbaseSolana", "solflare"];

/** Anything may throw in an object of a stranger. */
function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const page = window as unknown as Record<string, unknown>;

/** The `window.ethereum` of the page, if there is one. */
export const ethereumOf = (): object | undefined => attempt(() => (page.ethereum && typeof page.ethereum == "object" ? page.ethereum : undefined), undefined);

/** Names of what is true or an object there; methods say nothing of whose they are. */
export function readMarks(withEthereum: boolean): string[] {
  const marks = OF_WINDOW.filter((name) => attempt(() => !!page[name], false));
  const ethereum = withEthereum ? (ethereumOf() as Record<string, unknown> | undefined) : undefined;
  let level: object | null = ethereum ?? null;
  for (let depth = 0; depth < DEPTH && level && level != Object.prototype; depth++) {
    const here: object = level;
    for (const name of attempt(() => Object.getOwnPropertyNames(here), []).slice(0, MAX_NAMES)) {
      const value = MARK.test(name) && attempt(() => ethereum![name], null);
      if (value === true || (value && typeof value == "object")) marks.push(name);
    }
    level = attempt(() => Object.getPrototypeOf(here), null);
  }
  return [...new Set(marks)].slice(0, MAX_MARKS);
}
