/** User operations of a Safe (entry point 0.7): read from what they do, signed by its owner as the module wants it, never sent from here. */
import { concat, hex, unhex } from "../bytes";
import type { Row } from "../cards/card";
import { isObject, text } from "../clean";
import { t } from "../language";
import type { Asked, PasskeyOperation, PasskeyPlan, Plan, SmartAccountTools } from "../scripts";
import { addressWord, word } from "../smart_account/abi";
import { describeOperation, ENTRY_POINT, payingBytes, readOperation, type Operation } from "../smart_account/operations";
import { findStatus } from "./account";
import { decodeCalls } from "./calls";
import { factoryCall, HANDS_OVER, MODULE, safeAddress, SIGNER_FACTORY } from "./contracts";
import { readOwnerChange } from "./owners";
import { FOREVER, ownSignature, typedDigest } from "./signatures";

const OPERATION_TYPE =
  "SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,uint128 callGasLimit,uint256 preVerificationGas," +
  "uint128 maxPriorityFeePerGas,uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)";
const FIRST_TIME = t`Your smart account is made on this network first.`;
const OWN = t`Only your wallet's key controls it.`;

/** Reads an operation, and tells what it does, who pays for it, and whether it makes the Safe first. */
export async function planSafeOperation(asked: Asked, tools: SmartAccountTools): Promise<Plan> {
  const wrong = tools.invalid;
  const { keccak, checksummed } = tools;
  const owner = asked.addresses.evm;
  const safe = checksummed(safeAddress(owner, keccak));
  const operation = readOperation(asked, safe, wrong);
  const calls = decodeCalls(operation.callData);
  if (!calls) throw wrong("callData cannot be read");
  // Its owners, its modules and its code are the Safe's own to change; through the module it runs any code as its own.
  const obeyed = [safe, MODULE].map((one) => one.toLowerCase());
  const signer = passkeyOf(asked);
  const digest = digestOf(operation, safe, asked.chain, keccak);
  const byPasskey = signer || calls[0]?.to.toLowerCase() === SIGNER_FACTORY ? await planOfPasskey({ safe, calls, signer, digest }, asked, tools) : null;
  const change = readOwnerChange(calls, safe, owner, tools) ?? byPasskey?.change;
  if (!change && calls.some(({ to, data }) => data.length && obeyed.includes(to.toLowerCase()))) throw wrong(HANDS_OVER);
  const made = makes(operation, owner, wrong);
  if ((await findStatus(asked, keccak)) === "unsupported") throw new tools.FrameError("Smart accounts are not supported on this network", 4200);
  const code = (label: string, value: string): Row => ({ label, value, tone: "code" });
  const own = [...(made ? [code(t`Makes`, safe)] : []), code(t`Module`, MODULE)];
  const rows = [{ title: made ? t`New smart account` : t`Smart account`, rows: own }];
  const about = { rows: [...rows, ...(change?.sections ?? []), { rows: byPasskey?.rows ?? [] }], warnings: [...(made ? [change ? FIRST_TIME : `${FIRST_TIME} ${OWN}`] : []), ...(change?.warnings ?? [])], account: safe };
  const plan = describeOperation(operation, change ? [] : calls, about, asked, tools, wrong);
  if (change) plan.summary.title = change.title;
  return {
    ...plan,
    ...(byPasskey && { passkey: byPasskey.passkey }),
    sign: (keys) => ({ signature: `0x${FOREVER}${hex(ownSignature(keys, digest, tools))}` }),
  };
}

/** The owner that is to sign, where that is a passkey. */
function passkeyOf({ params }: Asked): string | undefined {
  const by = Array.isArray(params) ? params[2] : undefined;
  return isObject(by) ? text(by["passkey"], 42) : undefined;
}

async function planOfPasskey(operation: PasskeyOperation, asked: Asked, tools: SmartAccountTools): Promise<PasskeyPlan> {
  const { loadPasskeyOwner, passkeyCard } = await tools.loadLater();
  return (await loadPasskeyOwner()).planPasskey(operation, asked, tools, passkeyCard);
}

/** Whether it makes the Safe; anything else that a factory could do first is refused. */
function makes({ factory, factoryData }: Operation, owner: string, wrong: (what: string) => Error): boolean {
  if (!factory && !factoryData.length) return false;
  const own = factoryCall(owner);
  if (factory.toLowerCase() !== own.factory.toLowerCase() || hex(factoryData) !== hex(own.factoryData)) throw wrong("factory");
  return true;
}

/** The digest that the owner signs: of an operation that counts for ever, for the module. */
function digestOf(operation: Operation, safe: string, chain: string, keccak: SmartAccountTools["keccak"]): Uint8Array {
  const hashed = (bytes: Uint8Array) => hex(keccak(bytes));
  const { factory, factoryData } = operation;
  const made = factory ? concat(unhex(factory), factoryData) : factoryData;
  const fields = [
    addressWord(safe),
    word(operation.nonce),
    hashed(made),
    hashed(operation.callData),
    word(operation.verificationGasLimit),
    word(operation.callGasLimit),
    word(operation.preVerificationGas),
    word(operation.maxPriorityFeePerGas),
    word(operation.maxFeePerGas),
    hashed(payingBytes(operation)),
    word(0),
    word(0),
    addressWord(ENTRY_POINT),
  ];
  return typedDigest(chain, MODULE, OPERATION_TYPE, fields.join(""), keccak);
}
