/**
 * User operations (ERC-4337, entry point 0.7): read from what they do, signed for the smart account (EIP-712), never sent from here.
 * With the first one comes the authorization with which the account becomes a smart account (EIP-7702).
 */
import { concat, hex, unhex, utf8, type Bytes } from "../bytes";
import { isObject, type Data, type DataObject } from "../clean";
import type { Row, Section } from "../cards/card";
import { t } from "../language";
import type { Asked, Plan, SmartAccountTools } from "../scripts";
import { accountRows, accountWarnings, findAccount } from "./account";
import { describeCalls } from "./described_calls";
import { decodeExecute, DELEGATE, NOBODY, openCalls } from "./delegator";
import type { Call } from "../requests/calls";
import { readTokenFee } from "./token_fee";

/** The one entry point that our smart account obeys. */
export const ENTRY_POINT = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";
const NAME = "EIP7702StatelessDeleGator";
const DOMAIN_TYPE = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
const OPERATION_TYPE =
  "PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits," +
  "uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData,address entryPoint)";

const PAID =
  t`Its paymaster pays the network fee. It can take tokens for that, but none that you have not allowed it to take.`;

export interface Operation {
  /** "" for none. */
  factory: string;
  factoryData: Bytes;
  nonce: bigint;
  callData: Bytes;
  callGasLimit: bigint;
  verificationGasLimit: bigint;
  preVerificationGas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  /** "" for none. */
  paymaster: string;
  paymasterVerificationGasLimit: bigint;
  paymasterPostOpGasLimit: bigint;
  paymasterData: Bytes;
}

const word = (value: bigint, bytes = 32): Bytes => unhex(`0x${value.toString(16).padStart(bytes * 2, "0")}`);
const addressWord = (address: string): Bytes => word(BigInt(address));

/** Reads an operation, and tells what it does and who pays for it. */
export async function planOperation(asked: Asked, tools: SmartAccountTools): Promise<Plan> {
  const wrong = tools.invalid;
  const operation = readOperation(asked, asked.addresses.evm, wrong);
  // The account is no contract that somebody makes.
  if (operation.factory || operation.factoryData.length) throw wrong("factory");
  const calls = decodeExecute(operation.callData);
  if (!calls) throw wrong("callData cannot be read");
  const account = await findAccount(asked);
  if (account.status === "unsupported") throw new tools.FrameError("Smart accounts are not supported on this network", 4200);
  const authorization = account.status === "ready" ? { chainId: chainNumber(asked), delegate: DELEGATE, nonce: await nonceOf(asked, wrong) } : null;
  return {
    ...describeOperation(operation, openCalls(calls, asked.addresses.evm), { rows: accountRows(account), warnings: accountWarnings(account), account: asked.addresses.evm }, asked, tools, wrong),
    sign: (keys) => {
      const signature = tools.signDigest(keys, digest(operation, asked, tools.keccak));
      signature[64] = (signature[64] as number) + 27;
      const signed: DataObject = { signature: `0x${hex(signature)}` };
      if (authorization) signed["eip7702Auth"] = toJson(authorization, tools.signDigest(keys, tools.keccak(tools.authorizationBytes(authorization))));
      return signed;
    },
  };
}

const chainNumber = ({ chain }: Asked): bigint => BigInt(chain.slice(7));

async function nonceOf({ node, addresses }: Asked, wrong: (what: string) => Error): Promise<bigint> {
  const nonce = await node("eth_getTransactionCount", [addresses.evm, "pending"]);
  if (typeof nonce !== "string" || !/^0x[0-9a-fA-F]{1,16}$/.test(nonce)) throw wrong("the network's answer");
  return BigInt(nonce);
}

/** What is told of the account before what it does. */
interface About {
  rows: Section[];
  warnings: string[];
  account: string;
}

/** Tells what an operation does, and who pays for it. */
export function describeOperation(operation: Operation, all: readonly Call[], about: About, asked: Asked, tools: SmartAccountTools, wrong: (what: string) => Error) {
  const gas = [
    ...[operation.callGasLimit, operation.verificationGasLimit, operation.preVerificationGas],
    ...[operation.paymasterVerificationGasLimit, operation.paymasterPostOpGasLimit],
  ].reduce((sum, one) => sum + one, 0n);
  const cost = gas * operation.maxFeePerGas;
  const inToken = operation.paymaster ? readTokenFee({ ...operation, cost }, all, tools.checksummed, wrong) : null;
  const calls = inToken?.calls ?? all;
  const { title, sections, warnings } = describeCalls(calls, asked, tools);
  const paymaster: Row = { label: t`Paymaster`, value: operation.paymaster && tools.checksummed(operation.paymaster), tone: "code" };
  const fee = (value: string): Row => ({ label: t`Network fee`, value });
  const amount = tools.coins(asked.chain, cost);
  const paid = operation.paymaster ? [fee(t`paid by the paymaster`), paymaster] : [fee(t`at most ${amount}`)];
  const summary = {
    title,
    sections: [...about.rows, ...sections, { rows: inToken ? [...inToken.rows, paymaster] : paid }],
    warnings: [...about.warnings, ...warnings, ...(operation.paymaster && !inToken ? [PAID] : [])],
  };
  return { summary, network: tools.networkName(asked.chain), account: about.account };
}

/** Reads an operation of the account `sender`; throws for what is none. */
export function readOperation({ params }: Asked, sender: string, wrong: (what: string) => Error): Operation {
  const [given, entryPoint] = Array.isArray(params) ? params : [];
  if (!isObject(given)) throw wrong("no operation");
  const isAddress = (value: Data | undefined): value is string => typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);
  const number = (name: string, bits = 128) => {
    const value = given[name] ?? "0x0";
    if (typeof value !== "string" || !/^0x[0-9a-fA-F]{1,64}$/.test(value) || BigInt(value) >> BigInt(bits)) throw wrong(name);
    return BigInt(value);
  };
  const bytes = (name: string) => {
    const value = given[name] ?? "0x";
    if (typeof value !== "string" || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value) || value.length > 100_000) throw wrong(name);
    return unhex(value);
  };
  if (!isAddress(entryPoint) || entryPoint.toLowerCase() !== ENTRY_POINT.toLowerCase()) throw wrong("another entry point");
  if (!isAddress(given["sender"]) || given["sender"].toLowerCase() !== sender.toLowerCase()) throw wrong("another account");
  if (given["initCode"]) throw wrong("initCode");
  const factory = given["factory"] ?? "";
  if (factory !== "" && !isAddress(factory)) throw wrong("factory");
  const paymaster = given["paymaster"] ?? "";
  // With nobody in its place, the entry point has the account itself pay.
  if (paymaster !== "" && (!isAddress(paymaster) || paymaster === NOBODY)) throw wrong("paymaster");
  return {
    factory,
    factoryData: bytes("factoryData"),
    nonce: number("nonce", 256),
    callData: bytes("callData"),
    callGasLimit: number("callGasLimit"),
    verificationGasLimit: number("verificationGasLimit"),
    preVerificationGas: number("preVerificationGas", 256),
    maxFeePerGas: number("maxFeePerGas"),
    maxPriorityFeePerGas: number("maxPriorityFeePerGas"),
    paymaster,
    paymasterVerificationGasLimit: number("paymasterVerificationGasLimit"),
    paymasterPostOpGasLimit: number("paymasterPostOpGasLimit"),
    paymasterData: bytes("paymasterData"),
  };
}

/** Who pays, as it is packed. */
export const payingBytes = (operation: Operation): Bytes =>
  operation.paymaster
    ? concat(unhex(operation.paymaster), word(operation.paymasterVerificationGasLimit, 16), word(operation.paymasterPostOpGasLimit, 16), operation.paymasterData)
    : new Uint8Array(0);

/** The digest that the account's key signs: of the packed operation, in the account's own domain. */
function digest(operation: Operation, asked: Asked, keccak: SmartAccountTools["keccak"]): Uint8Array {
  const account = asked.addresses.evm;
  const hashed = (text: string) => keccak(utf8(text));
  const packed = concat(
    hashed(OPERATION_TYPE),
    addressWord(account),
    word(operation.nonce),
    keccak(new Uint8Array(0)),
    keccak(operation.callData),
    word(operation.verificationGasLimit, 16),
    word(operation.callGasLimit, 16),
    word(operation.preVerificationGas),
    word(operation.maxPriorityFeePerGas, 16),
    word(operation.maxFeePerGas, 16),
    keccak(payingBytes(operation)),
    addressWord(ENTRY_POINT),
  );
  const domain = concat(hashed(DOMAIN_TYPE), hashed(NAME), hashed("1"), word(chainNumber(asked)), addressWord(account));
  return keccak(concat(Uint8Array.of(0x19, 1), keccak(domain), keccak(packed)));
}

/** Writes an authorization as bundlers take it (ERC-7769). */
function toJson({ chainId, delegate, nonce }: { chainId: bigint; delegate: string; nonce: bigint }, signature: Uint8Array): DataObject {
  const quantity = (value: bigint) => `0x${value.toString(16)}`;
  return {
    ...{ chainId: quantity(chainId), address: delegate, nonce: quantity(nonce), yParity: quantity(BigInt(signature[64] as number)) },
    ...{ r: `0x${hex(signature.subarray(0, 32))}`, s: `0x${hex(signature.subarray(32, 64))}` },
  };
}
