/** Visitors' frames in sites, logged in at the server of the tests. */
import { Api } from "../src/api";
import { Custody } from "../src/custody";
import { Device } from "../src/device";
import type { Parts } from "../src/frame";
import { serve } from "../src/later";
import { Login } from "../src/login";
import { Screen } from "../src/screen";
import { MemoryStore, type Store } from "../src/storage";

export const KIM = "kim@example.org";
export const ANN = "ann@example.org";
export const SITE = "https://shop.example";

/** A visitor's frame in one more site, logged in; `site`: as the browser says. */
export async function visitor(email = KIM, store: Store = new MemoryStore(), site = SITE) {
  const device = await Device.open(store);
  const api = new Api(device);
  const custody = new Custody(store, device, api, "", site);
  const screen = new Screen(() => undefined);
  const login = new Login(api, store, custody, () => undefined);
  await login.begin(email);
  await login.enter("123456");
  const parts = { api, custody, login, screen, store } as unknown as Parts;
  return { custody, device, login, store, ask: (type: string, payload: object = {}) => serve(type, payload as never, parts) as Promise<unknown> };
}

/** Who has made the wallet in a frame. */
export async function owner(email = KIM, store?: Store, site?: string) {
  const found = await visitor(email, store, site);
  await found.login.userWithWallet();
  return found;
}
