/** What the owner signs for a Safe: a digest that the Safe takes for signed (ERC-1271), wrapped with what makes it where it is not there yet (ERC-6492). */
import { concat, hex, unhex, utf8, type Bytes } from "../bytes";
import type { Asked, Core, Plan, Signer } from "../scripts";
import { addressWord, bytesTail, word } from "../smart_account/abi";
import { findStatus } from "./account";
import { factoryCall, MODULE, safeAddress } from "./contracts";

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

/** Finds which of the two accounts of a key is named, in small letters; null for neither. */
export function readSigner(named: string, asked: Asked, core: Core): Signer | null {
  const owner = asked.addresses.evm;
  const safe = safeAddress(owner, core.keccak);
  const own = [owner, safe, MODULE].join().toLowerCase();
  if (named === safe) return { account: core.checksummed(safe), own, sign: (digest) => signFor(asked, digest, core) };
  if (named !== owner.toLowerCase()) return null;
  const sign: Signer["sign"] = (digest, message) => {
    // A Safe obeys what its owner has signed this way of the hash of an operation.
    if (message?.length === 32) throw new core.FrameError("Invalid params: it could hand over the smart account", -32602);
    return (keys) => `0x${hex(ownSignature(keys, digest, core))}`;
  };
  return { account: owner, own, sign };
}

/** Plans the signature of a key's Safe under a digest. It counts for this Safe on this network alone. */
async function signFor(asked: Asked, digest: Uint8Array, core: Core): Promise<Plan["sign"]> {
  const { addresses, chain, node } = asked;
  const { keccak } = core;
  if ((await findStatus(asked, keccak)) === "unsupported") throw new core.FrameError("The smart account cannot sign on this network", 4200);
  const safe = safeAddress(addresses.evm, keccak);
  const code = await node("eth_getCode", [safe, "latest"]);
  const message = typedDigest(chain, safe, "SafeMessage(bytes message)", hex(keccak(digest)), keccak);
  return (keys) => {
    const signature = hex(ownSignature(keys, message, core));
    return `0x${code === "0x" ? wrap(addresses.evm, signature) : signature}`;
  };
}

function wrap(owner: string, signature: string): string {
  const { factory, factoryData } = factoryCall(owner);
  const call = bytesTail(hex(factoryData));
  return addressWord(factory) + word(96) + word(96 + call.length / 2) + call + bytesTail(signature) + UNDEPLOYED;
}
