/** Requests of eip155. */
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hexToBytes, isHex, stringToHex } from "viem/utils";
import { invalidParams, unknownChain, unsupportedMethod } from "../wallet/errors";
import { ACCOUNTS } from "../wallet/eip155/accounts";
import { askSwitch, askTransaction, askTypedData } from "../wallet/eip155/questions";
import { address, chainId } from "../wallet/eip155/shapes";
import { fillTransaction, sendTransaction, wantedTransaction } from "../wallet/eip155/transactions";
import { askMessage } from "../wallet/question";
import { type JsonObject, isObject, objectAt, paramList, text } from "../wallet/shapes";
import { kindOf } from "./kinds";
import { type Asked, type Prepare, type Prepared, permitted } from "./request";

export const prepareEvm: Prepare = async (asked) => {
  const params = paramList(asked.params);
  switch (asked.method) {
    case "personal_sign":
      return message(asked, params);
    case "eth_signTypedData":
    case "eth_signTypedData_v4":
      return typedData(asked, params);
    case "eth_sendTransaction":
      return transaction(asked, params);
    case "wallet_switchEthereumChain":
    case "wallet_addEthereumChain":
      return otherChain(asked, params);
    default:
      throw unsupportedMethod(asked.method);
  }
};

function message(asked: Asked, params: readonly unknown[]): Prepared {
  const given = text(params[0], "The message");
  const { address: own, key } = permitted(ACCOUNTS, asked, address(params[1], "The account"));
  const raw: Hex = isHex(given) && given.length % 2 === 0 ? given : stringToHex(given);
  return {
    question: askMessage(own, hexToBytes(raw)),
    carryOut: () => privateKeyToAccount(key).signMessage({ message: { raw } }),
  };
}

function typedData(asked: Asked, params: readonly unknown[]): Prepared {
  const { address: own, key } = permitted(ACCOUNTS, asked, address(params[0], "The account"));
  const typed = checkedTypedData(params[1], numberOf(asked.chain));
  return {
    question: askTypedData(own, typed),
    carryOut: async () => {
      const signer = privateKeyToAccount(key);
      try {
        // The shape was checked; viem checks each field against its type, and says what does not fit.
        return await signer.signTypedData(typed as unknown as Parameters<typeof signer.signTypedData>[0]);
      } catch (error) {
        throw invalidParams(`The typed data cannot be signed: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

async function transaction(asked: Asked, params: readonly unknown[]): Promise<Prepared> {
  const chain = numberOf(asked.chain);
  const wanted = wantedTransaction(objectAt(params, 0), chain);
  const { address: own, key } = permitted(ACCOUNTS, asked, wanted.from);
  const filled = await fillTransaction(wanted, chain);
  return {
    question: askTransaction(own, filled),
    carryOut: () => sendTransaction(privateKeyToAccount(key), filled),
  };
}

function otherChain(asked: Asked, params: readonly unknown[]): Prepared {
  const wanted = chainId(objectAt(params, 0).chainId);
  const chain = `eip155:${wanted}`;
  if (!kindOf("eip155")?.chains.includes(chain)) throw unknownChain(wanted);
  return {
    question: askSwitch(numberOf(asked.chain), wanted),
    carryOut: async () => {
      await asked.switchChain(chain);
      return null;
    },
  };
}

function checkedTypedData(value: unknown, chain: number): JsonObject {
  let parsed: unknown = value;
  if (typeof value === "string") {
    try {
      parsed = JSON.parse(text(value, "The typed data"));
    } catch {
      throw invalidParams("The typed data is no JSON.");
    }
  }
  if (!isObject(parsed) || !isObject(parsed.types) || !isObject(parsed.message) || typeof parsed.primaryType !== "string") {
    throw invalidParams("Typed data has types, primaryType, domain and message (EIP-712).");
  }
  const domain = isObject(parsed.domain) ? parsed.domain : {};
  if (domain.chainId !== undefined && Number(domain.chainId) !== chain) {
    throw invalidParams("The domain's chainId is another one than the request's network.");
  }
  return { ...parsed, domain };
}

function numberOf(chain: string): number {
  return Number(chain.split(":")[1]);
}
