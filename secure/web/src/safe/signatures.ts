/** What the owner signs for a Safe: a digest that the Safe takes for signed (ERC-1271), wrapped with what makes it where it is not there yet (ERC-6492). */
import { concat, hex, unhex, utf8, type Bytes } from "../bytes";
import { isObject, type Data } from "../clean";
import type { Asked, Core, Plan, SafeScript } from "../scripts";
import { addressWord, bytesTail, word } from "../smart_account/abi";
import { findStatus } from "./account";
import { factoryCall, HANDS_OVER, MODULE, safeAddress } from "./contracts";

/** Before an operation's signatures: that it counts at any time. */
export const FOREVER = "00".repeat(12);
const UNDEPLOYED = "6492".repeat(16);

/** The digest of a struct of typed data (EIP-712) whose domain has a network and a contract alone. */
export function typedDigest(chain: string, contract: string, type: string, fields: string, keccak: Core["keccak"]): Bytes {
  const hashed = (text: string) => hex(keccak(utf8(text)));
  const domain = hashed("EIP712Domain(uint256 chainId,address verifyingContract)") + word(BigInt(chain.slice(7))) + addressWord(contract);
  const hash = (digits: string) => keccak(unhex(`0x${digits}`));
  return keccak(concat(Uint8Array.of(0x19, 1), hash(domain), hash(hashed(type) + fields))) as Bytes;
}

/** Signs as keys of Ethereum do: r, s and 27 or 28. */
export function ownSignature(keys: Parameters<Plan["sign"]>[0], digest: Uint8Array, { signDigest }: Pick<Core, "signDigest">): Bytes {
  const signature = signDigest(keys, digest);
  signature[64] = (signature[64] as number) + 27;
  return signature;
}

type Read = Parameters<SafeScript["planRequest"]>[2];

/** Where the methods that sign have the account. */
const SIGNING = ["eth_signTypedData_v4", "personal_sign"];

/** Reads a request of either account of a key. What the Safe sends comes as an operation; here it signs. */
export async function planRequest(asked: Asked, core: Core, read: Read): Promise<Plan> {
  const { params, addresses } = asked;
  const safe = safeAddress(addresses.evm, core.keccak);
  const own = [addresses.evm, safe, MODULE].map((one) => one.toLowerCase());
  const named = Array.isArray(params) && params[SIGNING.indexOf(asked.method)];
  if (typeof named === "string" && named.toLowerCase() === safe) return planOfSafe(asked, safe, own, core, read);
  if (callsOf(asked).some((call) => tells(call, [safe, addresses.evm.toLowerCase()]))) throw core.invalid(HANDS_OVER);
  const plan = await read(asked, core, own);
  // A Safe obeys what its owner has signed this way of the hash of an operation.
  if (plan.message?.length === 32) throw core.invalid(HANDS_OVER);
  return plan;
}

/** What the owner's own account is to call. */
function callsOf({ method, params }: Asked): Data[] {
  const [given] = Array.isArray(params) ? params : [];
  const calls = method === "wallet_sendCalls" && isObject(given) ? given["calls"] : method === "eth_sendTransaction" && [given as Data];
  return Array.isArray(calls) ? calls : [];
}

/** Whether a call has a function of the Safe run, which takes its owner's transactions for signed; or of the owner's own account, whose code could have that called. */
const tells = (call: Data, own: readonly string[]): boolean =>
  isObject(call) && own.includes(String(call["to"]).toLowerCase()) && ["data", "input"].some((name) => !["", "0x"].includes(String(call[name] ?? "")));

/** Plans the signature of a key's Safe: of its owner, under a digest that counts for this Safe on this network alone. */
async function planOfSafe(asked: Asked, safe: string, own: readonly string[], core: Core, read: Read): Promise<Plan> {
  const { addresses, chain, node } = asked;
  const { keccak } = core;
  if ((await findStatus(asked, keccak)) === "unsupported") throw new core.FrameError("The smart account cannot sign on this network", 4200);
  const signDigest: Core["signDigest"] = (keys, digest) =>
    core.signDigest(keys, typedDigest(chain, safe, "SafeMessage(bytes message)", hex(keccak(digest)), keccak));
  const ofSafe = { ...asked, addresses: { ...addresses, evm: core.checksummed(safe) } };
  const plan = await read(ofSafe, { ...core, signDigest }, own);
  const code = await node("eth_getCode", [safe, "latest"]);
  return code === "0x" ? { ...plan, sign: (keys) => `0x${wrap(addresses.evm, String(plan.sign(keys)).slice(2))}` } : plan;
}

function wrap(owner: string, signature: string): string {
  const { factory, factoryData } = factoryCall(owner);
  const call = bytesTail(hex(factoryData));
  return addressWord(factory) + word(96) + word(96 + call.length / 2) + call + bytesTail(signature) + UNDEPLOYED;
}
