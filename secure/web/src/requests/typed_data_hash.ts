/** Hashing of typed data (EIP-712). Strict: a value that its type does not fit is refused, as wallets read such values differently. */
import { concat, unhex, utf8, type Bytes } from "../bytes";
import { clean, isObject, type Data, type DataObject } from "../clean";

export interface Field {
  name: string;
  type: string;
}

export interface TypedData {
  types: Record<string, Field[]>;
  primaryType: string;
  domain: DataObject;
  message: DataObject;
}

type Hash = (bytes: Uint8Array) => Uint8Array;

export const DOMAIN = "EIP712Domain";
const DOMAIN_FIELDS: readonly Field[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];
const NAME = /^[A-Za-z_$][\w$]*$/;
const TYPE = /^[A-Za-z_$][\w$]*(?:\[\d{0,4}\])*$/;
const WORD = 32;

export class TypedDataError extends Error {}

const wrong = (what: string) => new TypedDataError(what);

/** Reads typed data, as text or as the object that it is. */
export function readTypedData(given: Data): TypedData {
  let data = given;
  if (typeof given === "string") {
    try {
      data = clean(JSON.parse(given));
    } catch {
      throw wrong("the typed data is no JSON, or too large");
    }
  }
  if (!isObject(data)) throw wrong("no typed data");
  const { primaryType, domain, message } = data;
  if (!isObject(data["types"]) || !isObject(domain) || !isObject(message)) throw wrong("types, domain or message is missing");
  const types = readTypes(data["types"]);
  types[DOMAIN] ??= DOMAIN_FIELDS.filter(({ name }) => domain[name] !== undefined && domain[name] !== null);
  // Of the domain alone nothing would be signed of the message that is shown.
  if (typeof primaryType !== "string" || primaryType === DOMAIN || !types[primaryType]) throw wrong("primaryType");
  return { types, primaryType, domain: signed(types, DOMAIN, domain) as DataObject, message: signed(types, primaryType, message) as DataObject };
}

/** The part of a value that is signed: nothing else is read, and shown as if it were. */
function signed(types: Record<string, Field[]>, type: string, value: Data): Data {
  const array = entryType(type);
  if (array && Array.isArray(value)) return value.map((one) => signed(types, array.inner, one));
  if (array || !types[type] || !isObject(value)) return value;
  const found = Object.create(null) as DataObject;
  for (const { name, type: kind } of types[type]) {
    const given = value[name];
    if (given !== undefined) found[name] = signed(types, kind, given);
  }
  return found;
}

function readTypes(given: DataObject): Record<string, Field[]> {
  const types = Object.create(null) as Record<string, Field[]>;
  for (const [name, fields] of Object.entries(given)) {
    if (!NAME.test(name) || !Array.isArray(fields)) throw wrong("types");
    const read = fields.map((field) => {
      const [label, type] = isObject(field) ? [field["name"], field["type"]] : [];
      // In a name, other signs could make up the text of another type, such as that of a permit.
      if (typeof label !== "string" || typeof type !== "string" || !NAME.test(label) || !TYPE.test(type)) throw wrong("types");
      return { name: label, type };
    });
    if (new Set(read.map((field) => field.name)).size < read.length) throw wrong("a field stands twice in a type");
    types[name] = read;
  }
  return types;
}

/** The type of the entries of an array, or null. */
export function entryType(type: string): { inner: string; length: number | null } | null {
  const found = /^(.*)\[(\d*)\]$/.exec(type);
  return found ? { inner: found[1] as string, length: found[2] ? Number(found[2]) : null } : null;
}

/** Hashes what is signed: 0x1901, the domain, the message. */
export function hashTypedData(data: TypedData, keccak: Hash): Uint8Array {
  const hasher = new Hasher(data.types, keccak);
  const parts = [hasher.struct(DOMAIN, data.domain), hasher.struct(data.primaryType, data.message)];
  return keccak(concat(Uint8Array.of(0x19, 0x01), ...parts));
}

class Hasher {
  readonly #types: Record<string, Field[]>;
  readonly #keccak: Hash;
  readonly #typeHashes = new Map<string, Uint8Array>();

  constructor(types: Record<string, Field[]>, keccak: Hash) {
    this.#types = types;
    this.#keccak = keccak;
  }

  struct(type: string, value: DataObject): Uint8Array {
    const words = (this.#types[type] as Field[]).map((field) => this.#encode(field.type, value[field.name], field.name));
    return this.#keccak(concat(this.#typeHash(type), ...words));
  }

  #typeHash(type: string): Uint8Array {
    let hash = this.#typeHashes.get(type);
    if (!hash) this.#typeHashes.set(type, (hash = this.#keccak(utf8(this.#typeText(type)))));
    return hash;
  }

  #typeText(primary: string): string {
    const names = new Set([primary]);
    // A set that grows while it is walked: every type that one of them refers to.
    for (const name of names) {
      for (const { type } of this.#types[name] as Field[]) {
        const base = type.replace(/\[.*$/, "");
        if (this.#types[base]) names.add(base);
      }
    }
    names.delete(primary);
    const line = (name: string) => `${name}(${(this.#types[name] as Field[]).map((field) => `${field.type} ${field.name}`).join(",")})`;
    return [primary, ...[...names].sort()].map(line).join("");
  }

  #encode(type: string, value: Data | undefined, where: string): Uint8Array {
    const array = entryType(type);
    if (array) {
      if (!Array.isArray(value) || (array.length !== null && array.length !== value.length)) throw wrong(`${where} is no ${type}`);
      return this.#keccak(concat(...value.map((one) => this.#encode(array.inner, one, where))));
    }
    if (this.#types[type]) {
      if (!isObject(value)) throw wrong(`${where} is no ${type}`);
      return this.struct(type, value);
    }
    return encodeValue(type, value, where, this.#keccak);
  }
}

function encodeValue(type: string, value: Data | undefined, where: string, keccak: Hash): Uint8Array {
  const no = () => wrong(`${where} is no ${type}`);
  if (type === "string") {
    if (typeof value !== "string") throw no();
    return keccak(utf8(value));
  }
  if (type === "bool") {
    if (typeof value !== "boolean") throw no();
    return word(value ? 1n : 0n);
  }
  if (type === "address") {
    if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value)) throw no();
    return word(BigInt(value));
  }
  const bytes = /^bytes(\d*)$/.exec(type);
  if (bytes) return encodeBytes(bytes[1] ? Number(bytes[1]) : null, value, no, keccak);
  const integer = /^(u?)int(\d*)$/.exec(type);
  if (!integer) throw wrong(`the type ${type} is not known`);
  const bits = BigInt(integer[2] || 256);
  if (bits % 8n || bits < 8n || bits > 256n) throw wrong(`the type ${type} is not known`);
  const number = readInteger(value);
  const [low, high] = integer[1] ? [0n, 1n << bits] : [-(1n << (bits - 1n)), 1n << (bits - 1n)];
  if (number === null || number < low || number >= high) throw no();
  return word(BigInt.asUintN(256, number));
}

function encodeBytes(length: number | null, value: Data | undefined, no: () => Error, keccak: Hash): Uint8Array {
  if (typeof value !== "string" || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) throw no();
  const found = unhex(value);
  if (length === null) return keccak(found);
  if (length < 1 || length > WORD || found.length !== length) throw no();
  return concat(found, new Uint8Array(WORD - length));
}

/** Reads a whole number, as a number or as decimal or hexadecimal text; null for anything else. */
export function readInteger(value: Data | undefined): bigint | null {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === "string" && /^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value) ? BigInt(value) : null;
}

const word = (number: bigint): Bytes => unhex(`0x${number.toString(16).padStart(2 * WORD, "0")}`);
