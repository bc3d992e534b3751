/** Addresses, quantities and bytes as eip155 writes them, checked. */
import type { Address, Hex } from "viem";
import { getAddress, isAddress, isHex } from "viem/utils";
import { invalidParams } from "../errors";

const QUANTITY = /^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/;

/** A checksummed address; any letter case goes in, as long as a mixed one has the right checksum. */
export function address(value: unknown, name: string): Address {
  if (typeof value !== "string") throw invalidParams(`${name} must be an address.`);
  const mixed = value !== value.toLowerCase() && value.slice(2) !== value.slice(2).toUpperCase();
  if (!isAddress(value, { strict: mixed })) throw invalidParams(`${name} must be an address.`);
  return getAddress(value);
}

/** A JSON-RPC quantity (hexadecimal, no leading zeros), or undefined when absent. */
export function quantity(value: unknown, name: string): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || !QUANTITY.test(value)) {
    throw invalidParams(`${name} must be a hexadecimal quantity such as 0x1.`);
  }
  return BigInt(value);
}

/** Bytes as hexadecimal, or undefined when absent. */
export function bytes(value: unknown, name: string): Hex | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isHex(value) || value.length % 2 !== 0) throw invalidParams(`${name} must be bytes in hexadecimal.`);
  return value;
}

/** An EIP-3326 chain id as a number. */
export function chainId(value: unknown): number {
  const id = quantity(value, "chainId");
  if (id === undefined || id === 0n || id > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw invalidParams("chainId must be a hexadecimal quantity such as 0x1.");
  }
  return Number(id);
}
