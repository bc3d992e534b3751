/** Who is signed in, as the server tells. */
import { isObject, text, type Data } from "./clean";
import { FrameError } from "./errors";
import type { Addresses } from "./keys";

export interface User {
  id: string;
  /** "" of whom no address is known. */
  email: string;
  wallet: Addresses | null;
  /** Whether the server has its half for this device. */
  device: boolean;
  escrow: boolean;
  frozenUntil: number | null;
  /** Until when its transfers wait, as the server has last said. */
  heldUntil: number | null;
}

export const malformed = () => new FrameError("The wallet service gave an answer that cannot be read");

const EVM = /^0x[0-9a-fA-F]{40}$/;
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export function readAddresses(given: Data | undefined): Addresses {
  const evm = isObject(given) && text(given["evm"], 42);
  const solana = isObject(given) && text(given["solana"], 44);
  if (!evm || !EVM.test(evm) || !solana || !SOLANA.test(solana)) throw malformed();
  return { evm, solana };
}

const moment = (given: Data | undefined): number | null => (typeof given === "number" ? given : null);

export function readUser(given: Data | undefined): User {
  if (!isObject(given)) throw malformed();
  const { id, email, wallet, frozenUntil } = given;
  if (!text(id, 200) || text(email, 400) === undefined) throw malformed();
  return {
    id: id as string,
    email: email as string,
    wallet: wallet == null ? null : readAddresses(wallet),
    device: given["device"] === true,
    escrow: given["escrow"] === true,
    frozenUntil: moment(frozenUntil),
    heldUntil: moment(given["heldUntil"]),
  };
}
