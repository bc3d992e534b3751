/** Requests of Bitcoin. */
import { base64, hex } from "@scure/base";
import { invalidParams, unauthorized, unsupportedMethod } from "../wallet/errors";
import { ACCOUNTS } from "../wallet/bip122/accounts";
import { type Opened, openedBoth } from "../wallet/bip122/keys";
import { messageHash, signMessage } from "../wallet/bip122/messages";
import { type Wanted, askPsbt, readPsbt, signPsbt } from "../wallet/bip122/psbt";
import { askMessage } from "../wallet/question";
import { type JsonObject, isObject, text } from "../wallet/shapes";
import { type Asked, type Prepare, type Prepared, permitted } from "./request";

export const prepareBitcoin: Prepare = async (asked) => {
  const params = isObject(asked.params) ? asked.params : {};
  switch (asked.method) {
    case "signMessage":
      return message(asked, params);
    case "getAccountAddresses":
      return addresses(asked, params);
    case "signPsbt":
      return psbt(asked, params);
    default:
      throw unsupportedMethod(asked.method);
  }
};

function message(asked: Asked, params: JsonObject): Prepared {
  const key = keyOf(asked, params.address ?? params.account);
  const { protocol = "ecdsa" } = params;
  if (protocol !== "ecdsa" && protocol !== "bip322") throw invalidParams("protocol is ecdsa or bip322.");
  const bytes = new TextEncoder().encode(text(params.message, "message"));
  return {
    question: askMessage(key.address, bytes, [["Kind", protocol === "bip322" ? "BIP-322" : "ECDSA"]]),
    carryOut: async () => ({
      address: key.address,
      signature: hex.encode(signMessage(bytes, key, protocol)),
      messageHash: hex.encode(messageHash(bytes, protocol)),
    }),
  };
}

function addresses(asked: Asked, params: JsonObject): Prepared {
  const keys = openedBoth(permitted(ACCOUNTS, asked, params.account));
  return {
    question: {
      title: "Show your addresses?",
      agree: "Show",
      facts: keys.map(({ purpose, address }) => [purpose === "payment" ? "Payments" : "Ordinals", address]),
    },
    carryOut: async () =>
      keys.map(({ address, publicKey, purpose }) => ({
        address,
        publicKey: hex.encode(publicKey),
        intention: purpose === "payment" ? "payment" : "ordinal",
      })),
  };
}

function psbt(asked: Asked, params: JsonObject): Prepared {
  if (params.broadcast === true) throw invalidParams("The sandbox's phone signs, and leaves sending to the app.");
  const keys = openedBoth(permitted(ACCOUNTS, asked, params.account));
  const read = readPsbt(bytesOf(params.psbt), keys, wantedInputs(params.signInputs));
  return {
    question: askPsbt(read, keys),
    carryOut: async () => ({ psbt: base64.encode(signPsbt(read, true)) }),
  };
}

function keyOf(asked: Asked, address: unknown): Opened {
  const wanted = address ?? asked.allowed[0];
  const own = ACCOUNTS.filter((account) => asked.allowed.includes(account.address)).flatMap(openedBoth);
  const found = own.find((key) => key.address === wanted);
  if (found === undefined) throw unauthorized("The app has no permission for this address.");
  return found;
}

function wantedInputs(value: unknown): Wanted {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidParams("signInputs is a list of {address, index}.");
  const wanted = new Map<string, number[]>();
  for (const one of value) {
    const { address, index } = isObject(one) ? one : {};
    if (typeof address !== "string" || typeof index !== "number" || !Number.isSafeInteger(index) || index < 0) {
      throw invalidParams("signInputs is a list of {address, index}.");
    }
    wanted.set(address, [...(wanted.get(address) ?? []), index]);
  }
  return wanted;
}

function bytesOf(value: unknown): Uint8Array {
  try {
    return base64.decode(text(value, "psbt"));
  } catch {
    throw invalidParams("psbt is base64.");
  }
}
