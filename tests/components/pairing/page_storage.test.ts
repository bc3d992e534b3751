import { expect, it } from "vitest";
import { CHOSEN_KEY, LINK_KEY, PageStorage } from "$/public/external/walletmodal/components/pairing/pairing/page_storage.ts";

/** A host page that keeps what it is given. */
function page(entries: [string, string][] = []) {
  const kept = new Map(entries);
  const ask = async ({ method, key = "", value = "" }: { method: string; key?: string; value?: string }) => {
    if (method === "entries") return [...kept];
    if (method === "set") kept.set(key, value);
    else kept.delete(key);
    return null;
  };
  return { kept, ask };
}

it("what was kept is there again", async () => {
  const { ask } = page([[CHOSEN_KEY, '{"chains":{}}']]);
  const storage = new PageStorage(ask);
  await storage.load();
  expect(await storage.getItem(CHOSEN_KEY)).toEqual({ chains: {} });
  expect(await storage.getEntries()).toEqual([[CHOSEN_KEY, { chains: {} }]]);
});

it("what is no JSON is dropped in the page too", async () => {
  const { kept, ask } = page([["wc@2:core:0.3//pairing", "{"]]);
  await new PageStorage(ask).load();
  expect(kept.size).toBe(0);
});

it.each([null, "text", [1], [["wc@a"]], [["wc@a", 7]], [["other", "1"]]])("entries that are none are ignored: %j", async (entries) => {
  const storage = new PageStorage(async () => entries);
  await storage.load();
  expect(await storage.getKeys()).toEqual([]);
});

it("only the SDK's keys reach the page", async () => {
  const { kept, ask } = page();
  const storage = new PageStorage(ask);
  await storage.setItem("WALLETCONNECT_CLIENT_ID", "x");
  await storage.setItem("wc@2:core:0.3//pairing", []);
  expect([...kept.keys()]).toEqual(["wc@2:core:0.3//pairing"]);
});

it("the same again is not written again", async () => {
  const written: string[] = [];
  const storage = new PageStorage(async ({ method }) => void written.push(method));
  await storage.setItem("wc@a", [1]);
  await storage.setItem("wc@a", [1]);
  expect(written).toEqual(["set"]);
});

it("what has grown too long for the page leaves nothing old behind", async () => {
  const { kept, ask } = page();
  const storage = new PageStorage(ask);
  await storage.setItem("wc@a", "short");
  await storage.setItem("wc@a", "x".repeat(70_000));
  expect(kept.size).toBe(0);
  expect(await storage.getItem("wc@a")).toHaveLength(70_000);
});

it("a page that keeps nothing is no obstacle", async () => {
  const storage = new PageStorage(() => Promise.reject(new Error("denied")));
  await storage.load();
  await storage.setItem("wc@a", 1);
  expect(await storage.getItem("wc@a")).toBe(1);
});

it("what is read cannot be changed from outside", async () => {
  const storage = new PageStorage(page().ask);
  await storage.setItem("wc@a", { list: [1] });
  (await storage.getItem<{ list: number[] }>("wc@a"))!.list.push(2);
  expect(await storage.getItem("wc@a")).toEqual({ list: [1] });
});

it("with a session the SDK forgets the wallet's app", async () => {
  const { kept, ask } = page();
  const storage = new PageStorage(ask);
  await storage.setItem(LINK_KEY, { href: "lantern://", name: "Lantern" });
  await storage.removeItem("WALLETCONNECT_DEEPLINK_CHOICE");
  expect(kept.size).toBe(0);
});

it("clearing forgets all", async () => {
  const { kept, ask } = page([["wc@a", "1"]]);
  const storage = new PageStorage(ask);
  await storage.load();
  storage.clear();
  expect([kept.size, (await storage.getKeys()).length]).toEqual([0, 0]);
});

it("an id that is too large for a number is kept as it is", async () => {
  const { ask } = page();
  await new PageStorage(ask).setItem("wc@a", [{ id: 1700000000000000001n, response: { id: 5 } }]);
  const later = new PageStorage(ask);
  await later.load();
  expect(await later.getItem("wc@a")).toEqual([{ id: 1700000000000000001n, response: { id: 5 } }]);
});

it("a text of a wallet is never taken for such an id", async () => {
  const storage = new PageStorage(page().ask);
  await storage.setItem("wc@a", { name: "12n", id: "n" });
  expect(await storage.getItem("wc@a")).toEqual({ name: "12n", id: "n" });
});
