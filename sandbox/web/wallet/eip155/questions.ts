/** What a request of eip155 means, in plain words, for the person who decides. */
import type { Address, Hex } from "viem";
import { formatEther } from "viem/utils";
import type { Question } from "../question";
import { type JsonObject, isObject } from "../shapes";
import { networkOf } from "./networks";
import type { FilledTransaction } from "./transactions";

const TRANSFER = "0xa9059cbb";
const APPROVE = "0x095ea7b3";

export function askTypedData(account: Address, typed: JsonObject): Question {
  const domain = isObject(typed.domain) ? typed.domain : {};
  const facts: [string, string][] = [
    ["Account", account],
    ["Kind", String(typed.primaryType)],
  ];
  if (domain.name !== undefined) facts.push(["For", String(domain.name)]);
  if (domain.verifyingContract !== undefined) facts.push(["Contract", String(domain.verifyingContract)]);
  return { title: "Sign this data?", agree: "Sign", facts, detail: JSON.stringify(typed.message, null, 2) };
}

export function askTransaction(from: Address, filled: FilledTransaction): Question {
  const { name, symbol } = networkOf(filled.chainId);
  const facts: [string, string][] = [
    ["Network", name],
    ["From", from],
    ["To", filled.to ?? "a new contract"],
    ["Amount", `${formatEther(filled.value)} ${symbol}`],
    ["Fee, at most", `${formatEther(filled.gas * filled.maxFeePerGas)} ${symbol}`],
  ];
  const data = filled.data ?? "0x";
  if (data === "0x") return { title: "Send this transaction?", agree: "Send", facts };
  const token = describeTokenCall(data);
  if (token === undefined) {
    facts.push(["Data", `${(data.length - 2) / 2} bytes for ${filled.to ? "a contract" : "the new contract"}`]);
    return { title: "Send this transaction?", agree: "Send", facts, detail: data };
  }
  return { title: token.title, agree: "Send", facts: [...facts, ...token.facts], ...(token.warning && { warning: token.warning }) };
}

export function askSwitch(from: number, to: number): Question {
  return {
    title: "Switch the network?",
    agree: "Switch",
    facts: [
      ["Now", networkOf(from).name],
      ["Then", networkOf(to).name],
    ],
  };
}

export function askAdd(chainId: number, claimedName: string): Question {
  return {
    title: "Add this network?",
    agree: "Add and switch",
    facts: [
      ["Network", networkOf(chainId).name],
      ["Chain id", String(chainId)],
      ["The site calls it", claimedName],
    ],
    note: "The wallet reaches it through the sandbox's gateway, whatever addresses the site names.",
  };
}

function describeTokenCall(data: Hex): Pick<Question, "title" | "facts" | "warning"> | undefined {
  const selector = data.slice(0, 10);
  if ((selector !== TRANSFER && selector !== APPROVE) || data.length !== 138) return undefined;
  const party = `0x${data.slice(34, 74)}`;
  const amount = BigInt(`0x${data.slice(74)}`);
  const units = `${amount} base units`;
  if (selector === TRANSFER) {
    return { title: "Send these tokens?", facts: [["Recipient", party], ["Tokens", units]] };
  }
  const unlimited = amount >= 2n ** 255n;
  return {
    title: "Let a contract spend your tokens?",
    facts: [["Spender", party], ["Allowance", unlimited ? "without limit" : units]],
    ...(unlimited && { warning: "The spender could take every token of this kind, now and later." }),
  };
}
