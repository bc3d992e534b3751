import { HDKey } from "@scure/bip32";
import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { mnemonicToSeedSync } from "@scure/bip39";
import { describe, expect, it } from "vitest";
import { hex, unhex } from "../src/bytes";
import { addressesOf, checksummed, derive, deriveKeys, mnemonicOf, signDigest } from "../src/keys";

const HARDENED = 0x80000000;
const ORDER = secp256k1.Point.Fn.ORDER;

describe("the phrase", () => {
  // The vectors of BIP-39 itself.
  it.each([
    ["0x00000000000000000000000000000000", "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"],
    ["0x7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f", "legal winner thank year wave sausage worth useful legal winner thank yellow"],
    ["0x80808080808080808080808080808080", "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"],
    ["0xffffffffffffffffffffffffffffffff", "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong"],
  ])("of %s is that of the standard", (entropy, words) => {
    expect(mnemonicOf(unhex(entropy))).toBe(words);
  });

  it("gives the addresses that every wallet derives from it", async () => {
    // "test test … junk" is that of the development chains, whose first account everybody knows.
    const keys = await deriveKeys(unhex("0xdf9bf37e6fcdf9bf37e6fcdf9bf37e3c"));
    expect(mnemonicOf(unhex("0xdf9bf37e6fcdf9bf37e6fcdf9bf37e3c"))).toBe("test test test test test test test test test test test junk");
    expect(addressesOf(keys).evm).toBe("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
  });
});

describe("derivation", () => {
  it("follows BIP-32's first vector", () => {
    const seed = unhex("0x000102030405060708090a0b0c0d0e0f");
    const path = [HARDENED, 1, 2 + HARDENED, 2, 1000000000];
    expect(hex(derive(seed, "Bitcoin seed", path, ORDER))).toBe("471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8");
  });

  it("keeps leading zeros of a private key (BIP-32's third vector)", () => {
    const seed = unhex("0x4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be");
    const key = HDKey.fromMasterSeed(seed).derive("m/0'").privateKey as Uint8Array;
    expect(hex(derive(seed, "Bitcoin seed", [HARDENED], ORDER))).toBe(hex(key));
    expect(hex(key)).toBe("491f7a2eebc7b57028e0d3faa0acda02e75c33b03c48fb288c41e2ea44e1daef");
  });

  it("agrees with a library on Ethereum's path", () => {
    for (let turn = 1; turn < 20; turn++) {
      const seed = mnemonicToSeedSync(mnemonicOf(new Uint8Array(16).fill(turn)));
      const path = [44 + HARDENED, 60 + HARDENED, HARDENED, 0, 0];
      const theirs = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0/0").privateKey as Uint8Array;
      expect(hex(derive(seed, "Bitcoin seed", path, ORDER))).toBe(hex(theirs));
    }
  });

  it("follows SLIP-10's first vector for ed25519", () => {
    const seed = unhex("0x000102030405060708090a0b0c0d0e0f");
    expect(hex(derive(seed, "ed25519 seed", []))).toBe("2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7");
    const key = derive(seed, "ed25519 seed", [0, 1, 2, 2, 1000000000].map((step) => step + HARDENED));
    expect(hex(key)).toBe("8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793");
    expect(hex(ed25519.getPublicKey(key))).toBe("3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a");
  });
});

describe("a signature", () => {
  it("recovers to its address, with s in the lower half", async () => {
    const keys = await deriveKeys(new Uint8Array(16).fill(7));
    for (let turn = 0; turn < 20; turn++) {
      const digest = new Uint8Array(32).fill(turn);
      const signed = signDigest(keys, digest);
      expect(BigInt(`0x${hex(signed.subarray(32, 64))}`)).toBeLessThanOrEqual(ORDER / 2n);
      const recovered = secp256k1.recoverPublicKey(Uint8Array.from([signed[64] as number, ...signed.subarray(0, 64)]), digest, { prehash: false });
      expect(hex(recovered)).toBe(hex(secp256k1.getPublicKey(keys.evm)));
    }
  });
});

describe("an address", () => {
  it.each([
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  ])("%s is spelled as ERC-55 does", (address) => {
    expect(checksummed(address.toLowerCase())).toBe(address);
  });
});
