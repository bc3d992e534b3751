import { describe, expect, it } from "vitest";
import { browseLink, LinkError, linkTarget, requestLink, walletLink } from "$/public/external/walletmodal/components/pairing/pairing/links.ts";

const URI = "wc:ab@2?relay-protocol=irn&symKey=cd";
const ONCE = encodeURIComponent(URI);
const TWICE = encodeURIComponent(ONCE);
const BROWSER = { telegram: false, system: "" } as const;

describe("a link into a wallet", () => {
  it.each([
    ["lantern", `lantern://wc?uri=${ONCE}`, "lantern://"],
    ["lantern:", `lantern://wc?uri=${ONCE}`, "lantern://"],
    ["lantern:/", `lantern://wc?uri=${ONCE}`, "lantern://"],
    ["lantern://", `lantern://wc?uri=${ONCE}`, "lantern://"],
    ["lantern://x", `lantern://x/wc?uri=${ONCE}`, "lantern://x/"],
    ["lantern://x/", `lantern://x/wc?uri=${ONCE}`, "lantern://x/"],
    ["https://lantern.example", `https://lantern.example/wc?uri=${ONCE}`, "https://lantern.example/"],
    ["https://lantern.example/app/", `https://lantern.example/app/wc?uri=${ONCE}`, "https://lantern.example/app/"],
    ["http://localhost:8700/phone", `http://localhost:8700/phone/wc?uri=${ONCE}`, "http://localhost:8700/phone/"],
  ])("%s carries the code", (app, redirect, href) => {
    expect(walletLink(app, URI, BROWSER)).toEqual({ redirect, href });
  });

  it.each([
    ["lantern://", true, "android", TWICE],
    ["lantern://", true, "ios", ONCE],
    ["lantern://", false, "android", ONCE],
    ["https://lantern.example/", true, "android", ONCE],
  ] as const)("%s in Telegram: %s on %s is encoded as Telegram takes it", (app, telegram, system, encoded) => {
    expect(walletLink(app, URI, { telegram, system }).redirect).toBe(`${app}wc?uri=${encoded}`);
  });

  it.each([
    "",
    " ",
    "javascript",
    "javascript:alert(1)//",
    "JavaScript://%0aalert(1)",
    "data://text/html,x",
    "file:///etc/passwd",
    "blob://x",
    "about",
    "vbscript:x",
    "http://lantern.example",
    "http://localhost.evil.example/",
    "https://lantern.example/ x",
    'https://lantern.example/"',
    "1lantern://",
    "l".repeat(3000),
  ])("%j is refused", (app) => {
    expect(() => walletLink(app, URI, BROWSER)).toThrow(LinkError);
  });
});

describe("the window of a link", () => {
  it.each([
    ["mobile", "lantern://", false, "_self"],
    ["mobile", "https://lantern.example/", false, "_blank"],
    ["mobile", "lantern://", true, "_blank"],
    ["mobile", "https://lantern.example/", true, "_blank"],
    ["desktop", "lantern://", false, "_blank"],
    ["web", "https://lantern.example/", false, "_blank"],
  ] as const)("of a %s wallet at %s, in Telegram: %s, is %s", (kind, href, telegram, target) => {
    expect(linkTarget(kind, href, { telegram })).toBe(target);
  });
});

describe("the wallet's own browser", () => {
  const url = "https://shop.example/cart?a=1";
  const here = encodeURIComponent(url);
  const from = encodeURIComponent("https://shop.example");

  it.each([
    ["Phantom", "solana", [], `https://phantom.app/ul/browse/${here}?ref=${from}`],
    ["Solflare", "solana", [], `https://solflare.com/ul/v1/browse/${here}?ref=${from}`],
    ["Coinbase Wallet", "solana", [], `https://go.cb-w.com/dapp?cb_url=${here}`],
    ["Phantom", "solana", ["phantom"], null],
    ["Solflare", "solana", ["solflare"], null],
    ["Coinbase Wallet", "solana", ["coinbaseSolana"], null],
    ["Phantom", "eip155", [], null],
    ["Coinbase Wallet", "eip155", [], null],
    ["Lantern", "solana", [], null],
  ])("%s on %s with %j", (name, namespace, marks, link) => {
    expect(browseLink(name, namespace, { url, marks })).toBe(link);
  });

  it("is not tried from a page without an address", () => {
    expect(browseLink("Phantom", "solana", { url: "", marks: [] })).toBeNull();
  });
});

describe("the link of a request", () => {
  it.each([
    ["lantern://", "lantern://wc?requestId=7&sessionTopic=ab"],
    ["https://lantern.example/", "https://lantern.example/wc?requestId=7&sessionTopic=ab"],
    ["https://t.me/lantern_bot/app", `https://t.me/lantern_bot/app?startapp=${btoa("requestId=7&sessionTopic=ab").replace(/=+$/, "")}`],
  ])("%s", (href, link) => {
    expect(requestLink(href, 7, "ab")).toBe(link);
  });
});
