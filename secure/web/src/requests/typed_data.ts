/** Typed data in words: its domain, every field that is signed, and what a known permit gives away. */
import { isObject, type Data, type DataObject } from "../clean";
import type { Row, Section, Summary } from "../cards/card";
import { t } from "../language";
import { isUnlimited, moment, tokens } from "./amounts";
import { reveal, HIDDEN_WARNING } from "./texts";
import { DOMAIN, entryType, readInteger, type Field, type TypedData } from "./typed_data_hash";

const UNLIMITED = t`It lets somebody else take all of a token, now and whatever you get of it later.`;
const ALLOWANCE = t`It lets somebody else take tokens of yours, without another question.`;
const TRANSFER = t`Whoever gets this signature can carry out the transfer.`;
const MOST_ROWS = 400;

/** Where each permit of Permit2 keeps tokens and amounts. */
const PERMIT2: Record<string, string> = {
  PermitSingle: "details",
  PermitBatch: "details",
  PermitTransferFrom: "permitted",
  PermitBatchTransferFrom: "permitted",
};

/** Tells what is signed, on `chain` by CAIP-2; of a delegation, what it allows was read before. */
export function readSummary(data: TypedData, chain: string, delegation?: [rows: Row[], warnings: string[]]): Summary {
  const { types, primaryType, domain, message } = data;
  const walk = new Walk(types);
  const domainRows = walk.struct(DOMAIN, domain, "");
  const rows = walk.struct(primaryType, message, "");
  const [granted, warnings] = delegation ?? permits(data);
  const id = readInteger(domain["chainId"]);
  if (id !== null && `eip155:${id}` !== chain) warnings.push(t`It is for another network, number ${id}.`);
  if (walk.hides) warnings.push(HIDDEN_WARNING);
  const sections: Section[] = [
    ...(granted.length ? [{ title: t`It allows`, rows: granted }] : []),
    { title: primaryType, rows },
    { title: t`Domain`, rows: domainRows },
  ];
  return { title: delegation ? t`Grant a permission` : granted.length ? t`Sign a permit` : t`Sign typed data`, sections, warnings };
}

/** Makes rows of all that is signed, and of nothing else. */
class Walk {
  hides = false;
  readonly #types: Record<string, Field[]>;
  #count = 0;

  constructor(types: Record<string, Field[]>) {
    this.#types = types;
  }

  struct(type: string, value: DataObject, before: string): Row[] {
    return (this.#types[type] as Field[]).flatMap(({ name, type: kind }) => this.#value(kind, value[name], before + name));
  }

  #value(type: string, value: Data | undefined, label: string): Row[] {
    const array = entryType(type);
    if (array && Array.isArray(value)) {
      const entries = value.flatMap((one, at) => this.#value(array.inner, one, `${label}[${at}]`));
      return value.length ? entries : this.#row(label, t`empty list`);
    }
    if (this.#types[type] && isObject(value)) return this.struct(type, value, `${label}.`);
    return this.#row(label, String(value), type === "string" || type === "bool" ? undefined : "code");
  }

  #row(label: string, value: string, tone?: "code"): Row[] {
    // What is not shown is not signed.
    if (++this.#count > MOST_ROWS) throw new RangeError("too many fields");
    const shown = reveal(value);
    this.hides ||= shown !== value;
    return [{ label, value: shown || "“”", tone }];
  }
}

function permits({ types, primaryType, domain, message }: TypedData): [rows: Row[], warnings: string[]] {
  const has = (name: string) => (types[primaryType] as Field[]).some((field) => field.name === name);
  const contract = String(domain["verifyingContract"] ?? t`not named`);
  const spender = [code(t`Spender`, message["spender"] ?? message["operator"])];
  const until = ends(message["deadline"] ?? message["expiry"] ?? message["sigDeadline"] ?? message["validBefore"]);
  if (primaryType === "Permit" && has("spender")) {
    if (has("allowed")) {
      if (message["allowed"] === false) return [[], []];
      return [[...spender, code(t`Token`, contract), { label: t`Amount`, value: t`unlimited` }, ...until], [UNLIMITED]];
    }
    const amount = readInteger(message["value"]);
    if (amount === null) return [[...spender, code(t`Token`, contract), ...until], [ALLOWANCE]];
    return [[...spender, ...grant(contract, amount), ...until], warn([amount])];
  }
  if (primaryType === "PermitForAll") return [[...spender, code(t`Collection`, contract), ...until], [UNLIMITED]];
  if (/^(?:Transfer|Receive)WithAuthorization$/.test(primaryType) && has("to") && has("value")) {
    const amount = readInteger(message["value"]) ?? 0n;
    return [[code(t`Receiver`, message["to"]), ...grant(contract, amount), ...until], [TRANSFER]];
  }
  const part = PERMIT2[primaryType.replace("Witness", "")];
  if (!part || !has("spender") || !has(part)) return [[], []];
  const found = message[part];
  const entries = (Array.isArray(found) ? found : [found]).filter(isObject);
  const amounts = entries.map((entry) => readInteger(entry["amount"]) ?? 0n);
  const granted = entries.flatMap((entry, at) => [...grant(String(entry["token"]), amounts[at] as bigint), ...ends(entry["expiration"])]);
  return [[...spender, ...granted, ...until], warn(amounts)];
}

const code = (label: string, value: Data | undefined): Row => ({ label, value: String(value), tone: "code" });

const grant = (token: string, amount: bigint): Row[] => [code(t`Token`, token), { label: t`Amount`, value: tokens(amount) }];

const warn = (amounts: bigint[]): string[] => [amounts.some(isUnlimited) ? UNLIMITED : ALLOWANCE];

function ends(given: Data | undefined): Row[] {
  const seconds = readInteger(given);
  return seconds === null ? [] : [{ label: t`Until`, value: moment(seconds) }];
}
