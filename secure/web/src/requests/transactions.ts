/** Transactions of Ethereum: read from a request, completed with what the network asks, serialised (EIP-1559, or legacy with EIP-155). */
import { concat, hex, unhex } from "../bytes";
import { isObject, type Data, type DataObject } from "../clean";
import { t } from "../language";
import type { Asked, Core, Plan } from "../scripts";
import { coins, networkName } from "./amounts";
import { readCall, type Call } from "./calls";
import type { Summary } from "../cards/card";
import { bytesOf, encode, type Item } from "./rlp";

const FIELDS = new Set([
  ...["from", "to", "value", "data", "input", "gas", "gasLimit", "nonce", "chainId", "type", "accessList"],
  ...["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"],
]);
const MAX_DATA = 24 * 1024;
/** Networks that also charge for their data on the chain below them, which no field of a transaction bounds (OP Stack). */
const DATA_FEE = new Set([10, 130, 252, 480, 1135, 8453, 34443, 42220, 57073, 81457, 7777777, 84532, 11155420].map((id) => `eip155:${id}`));

interface AccessEntry {
  address: string;
  storageKeys: string[];
}

/** A transaction that we have made: told in its own words. */
export interface OwnCall {
  summary: Summary;
  /** The contract whose code the account takes over with it (EIP-7702), and the code that it has then; null for none. */
  delegation: { delegate: string; code: string } | null;
}

/** A transaction that was read, with what it is made of. */
export interface TransactionPlan extends Plan {
  transaction: Transaction;
  send(signed: Data): Promise<string>;
}

interface Authorization {
  chainId: bigint;
  delegate: string;
  nonce: bigint;
  signature?: Uint8Array;
}

export interface Transaction extends Call {
  chainId: bigint;
  nonce: bigint;
  gas: bigint;
  /** Legacy where there is one. */
  gasPrice?: bigint | undefined;
  maxFeePerGas?: bigint | undefined;
  maxPriorityFeePerGas?: bigint | undefined;
  accessList: AccessEntry[];
  authorization?: Authorization | undefined;
}

const address = (text: string) => (text ? unhex(text) : new Uint8Array(0));

/** Serialises, to be signed without `signature` (r || s || parity), to be sent with it. */
export function serialise(transaction: Transaction, signature?: Uint8Array): Uint8Array {
  const { chainId, nonce, gas, to, value, data, accessList, gasPrice } = transaction;
  const signed = signature ? parts(signature) : [];
  const end: Item[] = [bytesOf(gas), address(to), bytesOf(value), data];
  if (gasPrice !== undefined) {
    const [parity, ...rest] = signed;
    const last = parity === undefined ? [chainId, 0n, 0n] : [chainId * 2n + 35n + parity, ...rest];
    return encode([bytesOf(nonce), bytesOf(gasPrice), ...end, ...last.map(bytesOf)]);
  }
  const list = accessList.map((entry) => [unhex(entry.address), entry.storageKeys.map(unhex)]);
  const fees = [bytesOf(transaction.maxPriorityFeePerGas ?? 0n), bytesOf(transaction.maxFeePerGas ?? 0n)];
  const delegating = transaction.authorization ? [[authorizationItem(transaction.authorization)]] : [];
  const kind = Uint8Array.of(delegating.length ? 4 : 2);
  return concat(kind, encode([bytesOf(chainId), bytesOf(nonce), ...fees, ...end, list, ...delegating, ...signed.map(bytesOf)]));
}

const number = (bytes: Uint8Array): bigint => BigInt(`0x${hex(bytes)}`);

/** A signature's parity, r and s. */
const parts = (signature: Uint8Array): bigint[] => [BigInt(signature[64] as number), number(signature.subarray(0, 32)), number(signature.subarray(32, 64))];

const authorizationItem = ({ chainId, delegate, nonce, signature }: Authorization): Item => [
  ...[bytesOf(chainId), unhex(delegate), bytesOf(nonce)],
  ...(signature ? parts(signature).map(bytesOf) : []),
];

/** What is hashed for an authorization (EIP-7702). */
export const authorizationBytes = (given: Authorization): Uint8Array => concat(Uint8Array.of(5), encode(authorizationItem(given)));

/** Tells what a network takes. */
export function atMost(chain: string, fee: bigint): string {
  const amount = coins(chain, fee);
  return DATA_FEE.has(chain) ? t`at most ${amount}, and the network's fee for its data` : t`at most ${amount}`;
}

/** Reads `eth_sendTransaction`, completes it, and tells what it does, in the words of `own` where it is our own. */
export async function planTransaction(asked: Asked, core: Core, own?: OwnCall): Promise<TransactionPlan> {
  const reader = new FieldReader(asked, core);
  const transaction = await complete(reader, asked, own?.delegation);
  const { chain, node } = asked;
  const { gas, gasPrice, maxFeePerGas, authorization } = transaction;
  const summary = own?.summary ?? readCall(transaction, chain, core.checksummed, asked.addresses.evm);
  const cost = atMost(chain, gas * (gasPrice ?? maxFeePerGas ?? 0n));
  const place = reader.has("nonce") ? [{ label: t`Place in your transactions`, value: `${transaction.nonce}` }] : [];
  return {
    summary: { ...summary, sections: [...summary.sections, { rows: [{ label: t`Network fee`, value: cost }, ...place] }] },
    network: networkName(chain),
    account: asked.addresses.evm,
    transaction,
    ...(authorization ? {} : { transactions: [serialise(transaction)] }),
    sign: (keys) => {
      const signature = authorization && core.signDigest(keys, core.keccak(authorizationBytes(authorization)));
      const whole = signature ? { ...transaction, authorization: { ...authorization, signature } } : transaction;
      return `0x${hex(serialise(whole, core.signDigest(keys, core.keccak(serialise(whole)))))}`;
    },
    send: async (signed: Data) => {
      const hash = `0x${hex(core.keccak(unhex(signed as string)))}`;
      for (let attempt = 1; ; attempt++) {
        try {
          await node("eth_sendRawTransaction", [signed]);
          return hash;
        } catch (error) {
          const { reason } = error as { reason?: string };
          // Sent twice, a transaction is still one; a node that has it already refuses the second.
          if (attempt > 1 && reason === "rpc" && (await node("eth_getTransactionByHash", [hash]))) return hash;
          if (attempt > 1 || (reason !== "unreachable" && reason !== "timeout")) throw error;
        }
      }
    },
  };
}

class FieldReader {
  readonly #given: DataObject;
  readonly #core: Core;
  readonly wrong: Core["invalid"];

  constructor(asked: Asked, core: Core) {
    this.#core = core;
    this.wrong = core.invalid;
    const given = Array.isArray(asked.params) ? asked.params[0] : undefined;
    if (!isObject(given)) throw this.wrong("no transaction");
    this.#given = given;
    for (const [name, value] of Object.entries(given)) {
      if (!FIELDS.has(name) && value !== null && value !== "") throw this.wrong(`${name.slice(0, 40)} is not supported`);
    }
    const from = this.address("from");
    if (from && from !== asked.addresses.evm) throw this.wrong("from is another account");
    if (this.has("chainId") && this.quantity("chainId") !== BigInt(asked.chain.slice(7))) throw this.wrong("chainId is another network");
  }

  has(name: string): boolean {
    return this.#given[name] !== undefined && this.#given[name] !== null;
  }

  quantity(...names: string[]): bigint | undefined {
    const found = names.filter((name) => this.has(name)).map((name) => {
      const value = this.#given[name];
      if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
      if (typeof value === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value);
      throw this.wrong(name);
    });
    if (found.some((one) => one !== found[0])) throw this.wrong(`${names.join(" and ")} differ`);
    return found[0];
  }

  /** "" where there is none. */
  address(name: string): string {
    const value = this.#given[name] ?? "";
    if (value === "") return "";
    if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value)) throw this.wrong(name);
    const spelled = this.#core.checksummed(value);
    const plain = value.slice(2);
    // One in mixed letters says that it has been typed right.
    if (spelled !== value && plain !== plain.toLowerCase() && plain !== plain.toUpperCase()) throw this.wrong(`${name} has a wrong checksum`);
    return spelled;
  }

  data(): Uint8Array {
    const found = ["data", "input"].filter((name) => this.has(name)).map((name) => String(this.#given[name]).toLowerCase() || "0x");
    // What is shown must be what is signed.
    if (found.some((one) => one !== found[0])) throw this.wrong("data and input differ");
    if (!/^0x(?:[0-9a-f]{2})*$/.test(found[0] ?? "0x")) throw this.wrong("data");
    const bytes = unhex(found[0] ?? "0x");
    if (bytes.length > MAX_DATA) throw this.wrong("data is too long");
    return bytes;
  }

  accessList(): AccessEntry[] {
    const given = this.#given["accessList"] ?? [];
    if (!Array.isArray(given)) throw this.wrong("accessList");
    return given.map((entry) => {
      const keys = isObject(entry) ? entry["storageKeys"] : undefined;
      const account = isObject(entry) ? entry["address"] : undefined;
      const isKey = (key: Data) => typeof key === "string" && /^0x[0-9a-fA-F]{64}$/.test(key);
      if (typeof account !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(account)) throw this.wrong("accessList");
      if (!Array.isArray(keys) || !keys.every(isKey)) throw this.wrong("accessList");
      return { address: account, storageKeys: keys as string[] };
    });
  }
}

async function complete(reader: FieldReader, { chain, addresses, node }: Asked, delegation: OwnCall["delegation"] = null): Promise<Transaction> {
  const type = reader.quantity("type");
  if (type !== undefined && type !== 0n && type !== 2n) throw reader.wrong("this type of transaction is not supported");
  const call = { to: reader.address("to"), value: reader.quantity("value") ?? 0n, data: reader.data() };
  if (!call.to && !call.data.length) throw reader.wrong("no receiver");
  const accessList = reader.accessList();
  const chainId = BigInt(chain.slice(7));
  const quantity = async (method: string, params: Data[]) => readQuantity(await node(method, params), reader);
  const legacy = type === 0n || (type === undefined && reader.has("gasPrice"));
  const isMixed = legacy ? accessList.length || reader.has("maxFeePerGas") || reader.has("maxPriorityFeePerGas") : reader.has("gasPrice");
  if (isMixed) throw reader.wrong("fields of two types");
  const estimated = {
    ...{ from: addresses.evm, value: `0x${call.value.toString(16)}`, data: `0x${hex(call.data)}` },
    ...(call.to && { to: call.to }),
    ...(accessList.length && { accessList: accessList as unknown as Data }),
  };
  // As it will be: nobody can sign the delegation before the visitor agrees to it, and what it costs does not depend on the signature.
  const estimate = delegation
    ? [{ ...estimated, authorizationList: [{ ...UNSIGNED, chainId: `0x${chainId.toString(16)}`, address: delegation.delegate }] }, "latest", { [addresses.evm]: { code: delegation.code } }]
    : [estimated];
  const [nonce, gas, fees] = await Promise.all([
    reader.quantity("nonce") ?? quantity("eth_getTransactionCount", [addresses.evm, "pending"]),
    // A fifth more than it takes now: what it takes may change until it is carried out.
    reader.quantity("gas", "gasLimit") ?? quantity("eth_estimateGas", estimate).then((found) => (call.data.length ? (found * 6n) / 5n : found)),
    legacy ? legacyFee(reader, quantity) : dynamicFees(reader, node, quantity),
  ]);
  if (delegation && "gasPrice" in fees) throw reader.wrong("the network knows no fees of this type");
  // The transaction itself takes the account's next nonce.
  const authorization = delegation ? { chainId, delegate: delegation.delegate, nonce: nonce + 1n } : undefined;
  return { ...call, accessList, chainId, nonce, gas, authorization, ...fees };
}

const UNSIGNED = { nonce: "0x0", yParity: "0x0", r: "0x1", s: "0x1" };

type Quantity = (method: string, params: Data[]) => Promise<bigint>;

async function legacyFee(reader: FieldReader, quantity: Quantity) {
  return { gasPrice: reader.quantity("gasPrice") ?? (await quantity("eth_gasPrice", [])) };
}

async function dynamicFees(reader: FieldReader, node: Asked["node"], quantity: Quantity) {
  const [most, tip] = [reader.quantity("maxFeePerGas"), reader.quantity("maxPriorityFeePerGas")];
  if (most !== undefined && tip !== undefined) {
    if (tip > most) throw reader.wrong("maxPriorityFeePerGas is above maxFeePerGas");
    return { maxFeePerGas: most, maxPriorityFeePerGas: tip };
  }
  const history = await node("eth_feeHistory", ["0x5", "latest", [50]]).catch((error: { reason?: string }) => {
    // A network without EIP-1559 may not know the method.
    if (error.reason !== "rpc") throw error;
    return null;
  });
  const bases = isObject(history) && Array.isArray(history["baseFeePerGas"]) ? history["baseFeePerGas"] : [];
  const base = bases.length ? readQuantity(bases[bases.length - 1] as Data, reader) : undefined;
  if (base === undefined) {
    if (most === undefined && tip === undefined) return legacyFee(reader, quantity);
    throw reader.wrong("the network knows no fees of this type");
  }
  const wanted = tip ?? medianTip(isObject(history) ? history["reward"] : undefined, reader);
  const maxFeePerGas = most ?? base * 2n + wanted;
  return { maxFeePerGas, maxPriorityFeePerGas: wanted < maxFeePerGas ? wanted : maxFeePerGas };
}

function medianTip(rewards: Data | undefined, reader: FieldReader): bigint {
  const tips = (Array.isArray(rewards) ? rewards : []).flatMap((block) => (Array.isArray(block) ? [readQuantity(block[0] as Data, reader)] : []));
  tips.sort((one, other) => (one < other ? -1 : 1));
  return tips[tips.length >> 1] ?? 1_000_000_000n;
}

function readQuantity(given: Data, reader: FieldReader): bigint {
  if (typeof given !== "string" || !/^0x[0-9a-fA-F]{1,64}$/.test(given)) throw reader.wrong("the network's answer");
  return BigInt(given);
}
