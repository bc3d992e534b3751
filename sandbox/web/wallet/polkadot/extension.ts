/** The entry of `window.injectedWeb3`, where pages look for extensions of Polkadot. */
import { hex } from "@scure/base";
import { sign } from "@scure/sr25519";
import { invalidParams, unauthorized, unsupportedMethod } from "../errors";
import { NAME } from "../icon";
import type { Purse } from "../purse";
import { askMessage } from "../question";
import { isObject, text } from "../shapes";
import { type PolkadotAccount, secretOf } from "./accounts";

const VERSION = "1.0.0";
const ENCODER = new TextEncoder();
/** Extensions put these around a message, so that it cannot be a transaction. */
const [OPENED, CLOSED] = [ENCODER.encode("<Bytes>"), ENCODER.encode("</Bytes>")];

interface InjectedAccount {
  readonly address: string;
  readonly name: string;
  readonly type: "sr25519";
  readonly genesisHash: null;
}

declare global {
  interface Window {
    injectedWeb3?: Record<string, unknown>;
  }
}

export function inject(purse: Purse<PolkadotAccount>): void {
  let answers = 0;

  const accounts = (): InjectedAccount[] =>
    purse.exposed
      ? [{ address: purse.exposed.address, name: `Sandbox ${purse.chosenIndex + 1}`, type: "sr25519", genesisHash: null }]
      : [];

  const injected = Object.freeze({
    name: NAME,
    version: VERSION,
    accounts: Object.freeze({
      get: async () => accounts(),
      subscribe(callback: unknown) {
        if (typeof callback !== "function") throw invalidParams("subscribe takes a function.");
        const tell = () => callback(accounts());
        purse.on("accountsChanged", tell);
        queueMicrotask(tell);
        return () => void purse.removeListener("accountsChanged", tell);
      },
    }),
    signer: Object.freeze({
      signRaw: async (asked: unknown) => {
        if (!isObject(asked) || asked.type !== "bytes") throw invalidParams("signRaw takes {address, data, type: 'bytes'}.");
        const account = purse.permitted(text(asked.address, "address"));
        const message = bytesOf(asked.data);
        await purse.ask(askMessage(account.address, message));
        return { id: ++answers, signature: `0x${hex.encode(sign(secretOf(account), wrapped(message)))}` };
      },
      signPayload: async () => {
        throw unsupportedMethod("signPayload: the sandbox runs no Polkadot chain");
      },
    }),
  });

  const entry = Object.freeze({
    version: VERSION,
    /** Whether `enable` would ask the owner nothing: how a page finds out, after a reload, that it is still connected. */
    isAuthorized: async () => purse.exposed !== undefined,
    enable: async () => {
      await purse.connect();
      if (purse.exposed === undefined) throw unauthorized("The wallet is locked.");
      return injected;
    },
  });
  window.injectedWeb3 = { ...window.injectedWeb3, [NAME]: entry };
}

/** Bytes in hexadecimal with 0x; any other text is its own UTF-8. */
function bytesOf(data: unknown): Uint8Array {
  const given = text(data, "data");
  return /^0x([0-9a-f]{2})*$/i.test(given) ? hex.decode(given.slice(2)) : ENCODER.encode(given);
}

function wrapped(message: Uint8Array): Uint8Array {
  const start = message.subarray(0, OPENED.length);
  const end = message.subarray(-CLOSED.length);
  const already = String(start) === String(OPENED) && String(end) === String(CLOSED);
  return already ? message : Uint8Array.from([...OPENED, ...message, ...CLOSED]);
}
