/** A fresh proof of who asks, by a passkey. */
import { unbase64url } from "../bytes";
import { text, type DataObject } from "../clean";
import type { Parts } from "../frame";
import type { Turn } from "../screen";
import { malformed } from "../user";
import { signedChallenge } from "./ceremony";
import { passkeyCard, type Words } from "./passkey_card";

/** Has a passkey used, on a card with `words`; raises 4001 when the visitor cancels, and `instead`. */
export async function proveByPasskey(purpose: string, words: Words, turn: Turn, { api }: Pick<Parts, "api">): Promise<string> {
  const { challenge, credentials } = await api.call("/v1/passkeys/prove");
  if (!Array.isArray(credentials)) throw malformed();
  const known = credentials.map((id) => unbase64url(text(id) ?? ""));
  const signed = await signedChallenge(challenge);
  const card = passkeyCard(words, turn.signal);
  turn.show(card.card);
  const { credential, proof } = await card.use({ kind: "get", challenge: signed, known });
  return readProof(await api.call("/v1/passkeys/proved", { purpose, credential, ...proof }));
}

export function readProof({ proof }: DataObject): string {
  const found = text(proof, 64);
  if (!found) throw malformed();
  return found;
}
