/** Delegations (ERC-7710) in words: what whoever is delegated to may spend, how often, until when; or that nobody can say. */
import { isObject, type Data } from "../clean";
import type { Row } from "../cards/card";
import { t } from "../language";
import type { TypedDataTools } from "../scripts";
import { isDelegation, MANAGER } from "../requests/delegated";
import type { TypedData } from "../requests/typed_data_hash";
import { readOpenDelegation } from "./open_delegation";
import { ENTRY_POINT } from "./operations";

/** Enforcers of the framework's release 1.3.0: what each holds. */
const ENFORCERS: Record<string, string> = {
  "0x474e3ae7e169e940607cc624da8a15eb120139ab": "erc20 period",
  "0x9bc0faf4aca5ae429f4c06aeeac517520cb16bd9": "native period",
  "0x56c97ae02f233b29fa03502ecc0457266d9be00e": "erc20 stream",
  "0xd10b97905a320b13a0608f7e9cc506b56747df19": "native stream",
  "0x99f2e9bf15ce5ec84685604836f71ab835dbbded": "no data",
  "0x92bf12322527caa612fd31a0e810472bbb106a8f": "coins",
  "0x1046bb45c8d673d4ea75321280db34899413c069": "time",
  "0xde4f2fac4b3d87a1d9953ca5fc09fca7f366254f": "nonce",
  "0xe144b0b2618071b4e56f746313528a669c7e65c5": "redeemers",
  "0xc2b0d624c1c4319760c96503ba27c347f3260f55": "payee",
  "0x7f20f61b1f09b08d970938f6fa563634d65c4eeb": "payees",
  "0x2c21fd0cb9dc8445cb3fb0dc5e7bb0aca01842b5": "methods",
  "0x04658b29f6b82ed55274221a06fc97d318e25416": "calls",
};
/** The enforcer that holds something. */
export const enforcerOf = (kind: string): string => Object.keys(ENFORCERS).find((address) => ENFORCERS[address] === kind) as string;

/** Where an account's word changes what others may do with it, or moves what it has put down for gas. */
const OBEYED = [MANAGER, ...Object.keys(ENFORCERS), ENTRY_POINT.toLowerCase(), "0x4337084d9e255ff0702461cf8895ce9e3b5ff108"];
/** Functions that move tokens, or let somebody else move them: nothing limits how many. */
const MOVES = /^(?:a9059cbb|23b872dd|095ea7b3|39509351|d73dd623|9bd9bbc6|959b8c3f|1296ee62|4000aea0|3177029f|cae9ca51|a22cb465|42842e0e|b88d4fde|f242432a|2eb2c2d6|d505accf|8fcbaf0c|87517c45|36c78516)$/;

const FOREVER = 2n ** 256n - 1n;

const ENDLESS = t`It never ends by itself.`;
const UNLIMITED = t`It has no limit: all of it can be taken, now and whatever you get of it later.`;
const CALLS = t`Nothing limits what the contract does with a call: it can take what this account has allowed it to take.`;
const LATER = t`It lets somebody act for you later without asking you again.`;

/** Whether typed data is a delegation of an account's own with a limit, an end and a holder, for the network in use. */
export function isBounded(data: TypedData, chain: string, account: string, tools: TypedDataTools): boolean {
  const { domain, message } = data;
  if (!isDelegation(data) || `eip155:${tools.readInteger(domain["chainId"])}` !== chain) return false;
  const own = String(message["delegator"]).toLowerCase() === account.toLowerCase() && /^0xf{64}$/i.test(String(message["authority"]));
  return own && readDelegation(data, chain, tools)[1].filter((warning) => warning !== CALLS).join() === LATER;
}

/** Tells what a delegation allows, with what must be warned of. */
export function readDelegation(data: TypedData, chain: string, tools: TypedDataTools): [rows: Row[], warnings: string[]] {
  const { moment } = tools;
  const open = readOpenDelegation(data);
  const [[who], [, ...anyone]] = open;
  const terms = String(data.domain["verifyingContract"]).toLowerCase() === MANAGER ? read(data.message["caveats"]) : null;
  const rows = terms && (terms.has("methods") ? calls(terms, String(data.message["delegator"]), chain, tools) : permission(terms, chain, tools));
  if (!terms || !rows) return open;
  const end = terms.get("time");
  // The contract takes 0 for no end.
  const until = (end && BigInt(`0x${end.slice(32)}`)) || null;
  const warnings = [...rows.warnings, ...(until === null || moment(until) === t`never` ? [ENDLESS] : []), ...(terms.has("redeemers") ? [] : anyone), LATER];
  return [[who, ...rows.rows, { label: t`Until`, value: until === null ? t`never` : moment(until) }, ...parties(terms)], warnings];
}

/** The terms of each caveat, by what it holds; null where one is not known, is malformed, or stands there twice. */
function read(caveats: Data | undefined): Map<string, string> | null {
  const found = new Map<string, string>();
  if (!Array.isArray(caveats)) return null;
  for (const caveat of caveats) {
    if (!isObject(caveat)) return null;
    const kind = ENFORCERS[String(caveat["enforcer"]).toLowerCase()];
    const terms = String(caveat["terms"]).toLowerCase();
    if (!kind || found.has(kind) || !/^0x(?:[0-9a-f]{2})*$/.test(terms)) return null;
    found.set(kind, terms.slice(2));
  }
  return found;
}

/** What may be called; null where the terms are not exactly those of one contract that the account does not obey. */
function calls(terms: Map<string, string>, account: string, chain: string, { coins, isUnlimited }: TypedDataTools): { rows: Row[]; warnings: string[] } | null {
  const [contract = "", methods = "", coin = "", nonce = ""] = ["payees", "methods", "coins", "nonce"].map((kind) => terms.get(kind));
  const [count, named] = [terms.get("calls"), methods.match(/.{8}/g) ?? []];
  const others = ["calls", "time", "redeemers"].filter((kind) => terms.has(kind));
  const isWhole = [coin, nonce, count ?? nonce].every((one) => one.length === 64) && contract.length === 40 && methods.length === named.length * 8;
  const address = `0x${contract}`;
  // A caveat more is one of another permission.
  if (!isWhole || terms.size !== 4 + others.length || !shaped(terms, false) || !named.length || named.length > 8) return null;
  if ([...OBEYED, account.toLowerCase()].includes(address)) return null;
  const [each, times] = [BigInt(`0x${coin}`), count === undefined ? null : BigInt(`0x${count}`)];
  const most = times === null ? (each ? FOREVER : 0n) : each * times;
  const isEndless = isUnlimited(most) || named.some((one) => MOVES.test(one));
  return {
    rows: [
      { label: t`Contract`, value: address, tone: "code" },
      ...named.map((one): Row => ({ label: t`Function`, value: `0x${one}`, tone: "code" })),
      { label: t`Calls at most`, value: times === null ? t`any number` : `${times}` },
      { label: t`Altogether at most`, value: coins(chain, most) },
    ],
    warnings: [...(isEndless ? [UNLIMITED] : []), CALLS],
  };
}

/** What may be spent; null where the terms are not exactly those of one permission. */
function permission(terms: Map<string, string>, chain: string, { coins, isUnlimited, moment, tokens }: TypedDataTools): { rows: Row[]; warnings: string[] } | null {
  const kinds = ["erc20 period", "native period", "erc20 stream", "native stream"].filter((kind) => terms.has(kind));
  const [kind] = kinds;
  if (kinds.length !== 1 || !kind || terms.has("calls") || terms.get("nonce")?.length !== 64) return null;
  const ofToken = kind.startsWith("erc20");
  const alone = ofToken ? /^0{64}$/.test(terms.get("coins") ?? "") && !terms.has("no data") : terms.get("no data") === "" && !terms.has("coins");
  const held = terms.get(kind) as string;
  const words = (ofToken ? held.slice(40) : held).match(/.{64}/g)?.map((word) => BigInt(`0x${word}`)) ?? [];
  const stream = kind.endsWith("stream");
  if (!alone || held.length !== (ofToken ? 40 : 0) + (stream ? 256 : 192) || !shaped(terms, ofToken)) return null;
  const amount = (given: bigint) => (ofToken || isUnlimited(given) ? tokens(given) : coins(chain, given));
  const token: Row[] = ofToken ? [{ label: t`Token`, value: `0x${held.slice(0, 40)}`, tone: "code" }] : [];
  const [first = 0n, second = 0n, third = 0n, start = third] = words;
  // No contract takes a period of no time.
  if (!stream && !second) return null;
  const most = stream ? second : first;
  const period = duration(second);
  const limit: Row = { label: stream || second === FOREVER ? t`Altogether at most` : t`At most every ${period}`, value: amount(most) };
  const since = BigInt(Math.floor(Date.now() / 1000)) - start;
  const free = first + (since > 0n ? third * since : 0n);
  const flow: Row[] = stream ? [{ label: t`At once`, value: amount(free < most ? free : most) }, { label: t`More with every second`, value: amount(third) }] : [];
  const until = BigInt(`0x${terms.get("time")?.slice(32) ?? "0"}`);
  // Nothing lies between the end of a period and the next one.
  const repeats = !stream && second !== FOREVER && (!until || until - start > second);
  const sum = amount(first * 2n);
  const twice: Row[] = repeats ? [{ label: t`At once at most`, value: t`${sum}, where one period ends and the next begins` }] : [];
  // Little in a short time is much in the end.
  const periods = repeats && until ? (until - 1n - start) / second + 1n - (since > 0n ? since / second : 0n) : 1n;
  const whole: Row[] = repeats && until ? [{ label: t`Altogether at most`, value: amount(first * (periods > 0n ? periods : 0n)) }] : [];
  const warnings = isUnlimited(most * periods) ? [UNLIMITED] : [];
  return { rows: [...token, limit, ...twice, ...whole, ...flow, { label: t`Starts`, value: moment(start) }], warnings };
}

/** Whether the rules have the form in which the contracts, and everybody else, read them. */
function shaped(terms: Map<string, string>, ofToken: boolean): boolean {
  const fits = (kind: string, form: RegExp) => form.test(terms.get(kind) ?? "") || !terms.has(kind);
  const payees = ofToken ? !terms.has("payees") : !terms.has("payee");
  return payees && fits("time", /^0{32}[0-9a-f]{32}$/) && fits("redeemers", /^(?:[0-9a-f]{40})+$/) && fits("payees", /^(?:[0-9a-f]{40})+$/) && fits("payee", /^0{63}40{24}[0-9a-f]{40}$/);
}

function parties(terms: Map<string, string>): Row[] {
  const row = (label: string) => (address: string): Row => ({ label, value: `0x${address}`, tone: "code" });
  const all = (kind: string) => terms.get(kind)?.match(/.{40}/g) ?? [];
  const payee = terms.get("payee");
  return [...all("redeemers").map(row(t`Handed in by`)), ...[...(terms.has("methods") ? [] : all("payees")), ...(payee ? [payee.slice(-40)] : [])].map(row(t`Paid to`))];
}

function duration(seconds: bigint): string {
  const whole = (size: bigint) => (seconds % size ? 0n : seconds / size);
  const [days, hours, minutes] = [whole(86_400n), whole(3600n), whole(60n)];
  if (days) return days === 1n ? t`day` : t`${days} days`;
  if (hours) return hours === 1n ? t`hour` : t`${hours} hours`;
  if (minutes) return minutes === 1n ? t`minute` : t`${minutes} minutes`;
  return seconds === 1n ? t`second` : t`${seconds} seconds`;
}
