/** Polkadot wallets: extensions that lie in `window.injectedWeb3`. */
import { fail, invalidParams, quietly, unexpected } from "../errors";
import { repeatedly } from "./discovery";
import { toHex, toUtf8 } from "./encoding";
import { add } from "./found";
import { refusable, UNAUTHORIZED, type Adapter, type Grant, type Line } from "./line";
import { page } from "./page";

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{46,50}$/;
/** The relay chain: messages are signed for an account, whatever its network. */
const RELAY_CHAIN = "91b171bb158e2d3848fa23a9f1c25182";
const MAX_ACCOUNTS = 50;
const MAX_EXTENSIONS = 20;
/** The convention has keys only. */
const NAMES: Record<string, string> = { "polkadot-js": "Polkadot.js", "subwallet-js": "SubWallet", talisman: "Talisman" };

type Injected = {
  accounts: { get(): unknown; subscribe?(callback: () => void): unknown };
  signer?: { signRaw?(payload: { address: string; data: string; type: "bytes" }): unknown };
};

/** What lies in the page. `isAuthorized` is optional: whether `enable` would open no prompt for this origin. */
type Extension = { enable?(origin: string): unknown; isAuthorized?(origin: string): unknown };

function lineOf(extension: Extension): Line | undefined {
  if (typeof extension?.enable != "function") return undefined;
  let injected: Injected | undefined;
  let notify = () => {};

  /** Only an extension that is enabled tells of its accounts. */
  function subscribe() {
    const off = injected?.accounts.subscribe?.(() => notify());
    if (typeof off == "function") page.life.addEventListener("abort", () => off());
  }

  async function enable() {
    injected = (await extension.enable!(location.origin)) as Injected;
    quietly(subscribe)(undefined);
  }

  async function addresses(): Promise<string[]> {
    const accounts = await injected!.accounts.get();
    const all = (Array.isArray(accounts) ? accounts : []).slice(0, MAX_ACCOUNTS);
    // An extension may hold keys of other chains too.
    return all.map((account) => String(account?.address)).filter((address) => ADDRESS.test(address));
  }

  async function granted(wanted: string): Promise<Grant | null> {
    if (!injected) return null;
    const accounts = await addresses();
    return accounts[0] ? { accounts, chain: wanted || RELAY_CHAIN } : null;
  }

  return {
    async _connect(wanted) {
      await refusable(enable);
      const grant = await granted(wanted);
      if (!grant) throw unexpected();
      return grant;
    },
    async _recall(wanted) {
      // Only what says that this page is known can be enabled without a prompt.
      if (!injected && (await extension.isAuthorized?.(location.origin)) === true) await enable();
      return granted(wanted);
    },
    _now: granted,
    async _request(method, params) {
      if (method != "polkadot_signMessage") throw invalidParams();
      const { address, message } = params ?? {};
      if (!injected || !(await addresses()).includes(address)) throw fail(UNAUTHORIZED, "The wallet has not opened that account to this page");
      // In hex, or a message that looks like hex would be signed as what it spells.
      const payload = { address, data: "0x" + toHex(toUtf8(message)), type: "bytes" as const };
      const signed = (await refusable(() => injected!.signer?.signRaw?.(payload))) as { signature?: unknown } | undefined;
      if (!/^0x([\da-f]{2}){64,65}$/i.test(signed?.signature as string)) throw unexpected();
      return { signature: signed!.signature };
    },
    _listen(changed) {
      notify = changed;
      subscribe();
    },
    async _disconnect() {
      // The convention knows no end.
      injected = undefined;
    },
  };
}

const lines = new WeakMap<object, Line | undefined>();

export const polkadot: Adapter = {
  _namespace: "polkadot",
  _address: ADDRESS,
  _line: lineOf,
  _discover() {
    repeatedly(() => {
      const all = (window as { injectedWeb3?: Record<string, Extension> }).injectedWeb3 ?? {};
      const list = quietly((id: string) => {
        const extension = all[id]!;
        if (!lines.has(extension)) lines.set(extension, lineOf(extension));
        // An extension is often also a wallet of the standard, whose id is its name.
        add("polkadot", extension, { id: "polkadot:" + id, name: NAMES[id] ?? id }, lines.get(extension));
      });
      Object.keys(all).slice(0, MAX_EXTENSIONS).forEach(list);
    });
  },
};
