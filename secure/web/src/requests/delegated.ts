/** Whether typed data is a delegation of an account (ERC-7710): a script of its own tells what it allows. */
import type { TypedData } from "./typed_data_hash";

/** The contract that carries out what accounts have delegated. */
export const MANAGER = "0xdb9b1e94b5b69df7e401ddbede43491141047db3";

/** Tells a delegation of an account from one of votes. */
export const isDelegation = ({ primaryType, types }: TypedData): boolean =>
  primaryType === "Delegation" && ["delegate", "delegator", "authority", "caveats"].some((name) => (types[primaryType] ?? []).some((field) => field.name === name));
