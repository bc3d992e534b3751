/** Passkeys of a wallet: each has a set of halves of its own, and opens the wallet where this device's half is not. */
import { base64url, random, unbase64url, wipe, xor, type Bytes } from "../bytes";
import { isObject, text, type Data, type DataObject } from "../clean";
import { meta } from "../elements";
import { FrameError, isFrameError, recoveryNeeded } from "../errors";
import type { Parts } from "../frame";
import { t } from "../language";
import { loadAccount } from "../scripts";
import type { Turn } from "../screen";
import { malformed, type User } from "../user";
import { approve } from "./approval";
import { forget, openWith, sealFor, signedChallenge, type Outcome, type Wanted } from "./ceremony";
import { endHold } from "./hold";
import { CANNOT_OPEN, passkeyCard, type PasskeyCard, type Words } from "./passkey_card";

export const ADD: Words = {
  title: t`Add a passkey`,
  lines: [t`Your fingerprint, face or PIN will open your wallet on any device that has this passkey.`, t`The passkey stays with you. Nobody else can use it.`],
  button: t`Continue`,
};
const OPEN: Words = { title: t`Use your passkey`, lines: [t`Your passkey opens your wallet on this device.`], button: t`Continue` };
const LOG_IN: Words = {
  title: t`Log in with a passkey`,
  lines: [t`Your passkey logs you in, and opens your wallet.`, t`No passkey of this wallet yet? Go back and log in another way: you can add one then.`],
  button: t`Continue`,
  instead: t`I am new here: make a wallet`,
};
const SIZE = 16;
const ONCE_MORE = t`Your passkey is made. Continue to use it once, so that it can open your wallet.`;

type List = { passkeys: Data[] };

/** Tells the passkeys of who is signed in. */
export async function listPasskeys({ api }: Pick<Parts, "api">): Promise<List> {
  return listOf(await api.call("/v1/passkeys"));
}

/** Tells whether a passkey is worth offering after a login: once for each user of this device, who has none and can make one here. */
export async function offersPasskey({ api, login, store }: Parts): Promise<{ offer: boolean }> {
  const kept = `passkey-offered:${(await login.user()).id}`;
  if ((await store.get(kept)) || !(await canMakeOne())) return { offer: false };
  // The wallet of somebody new is made meanwhile; who cannot open theirs here cannot add a passkey either.
  const [{ passkeys }] = await Promise.all([listPasskeys({ api }), login.userWithWallet()]);
  const offer = passkeys.length === 0;
  if (offer) await store.put(kept, true);
  return { offer };
}

/** Whether the device itself can hold a passkey. */
async function canMakeOne(): Promise<boolean> {
  try {
    return await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
  } catch {
    // A browser without WebAuthn.
    return false;
  }
}

/** Removes one once the visitor has approved it here, for the modal may lie about which; raises 4001 otherwise. It opens nothing any more. */
export async function removePasskey(id: string, parts: Parts): Promise<List> {
  const { api, custody, login, screen } = parts;
  const [{ passkeys }, { heldUntil }] = await Promise.all([listPasskeys(parts), login.user()]);
  const passkey = passkeys.filter(isObject).find((one) => one["id"] === id);
  if (!passkey) throw new FrameError("This passkey is not on the list any more", undefined, "passkey_unknown");
  const added = new Date(Number(passkey["createdAt"])).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const rows = [
    { label: t`Passkey`, value: text(passkey["name"], 200) || t`Unknown` },
    { label: t`Site`, value: text(passkey["site"], 300) || t`Unknown` },
    { label: t`Added`, value: added },
  ];
  const last = passkeys.length > 1 ? [] : [t`It is the last one: without it a new device needs another way to your wallet.`];
  const warnings = [[t`It will open your wallet no longer.`, ...last].join(" ")];
  return screen.run(async (turn) => {
    if (heldUntil) await endHold(turn, parts);
    await approve({ title: t`Remove this passkey?`, sections: [{ rows }], warnings }, t`Removing…`, turn);
    return listOf(await api.call("/v1/passkeys/remove", { id, site: custody.site }));
  });
}

/** Makes a passkey, and gives it a set of halves; raises 4001 when the visitor cancels. */
export async function addPasskey(parts: Parts): Promise<List> {
  const { api, custody, login, screen } = parts;
  const user = await login.user();
  if (!(await custody.holds(user))) throw recoveryNeeded();
  return screen.run(async (turn) => {
    if (user.heldUntil) await endHold(turn, parts);
    const { challenge, known } = readBegun(await api.call("/v1/passkeys/add"));
    const card = shown(ADD, turn);
    const name = user.email || meta("site");
    const made = await useful(card, { kind: "create", challenge, known, site: meta("site"), user: { id: unbase64url(user.id), name } });
    turn.commit();
    const { credential, proof, secret } = made;
    const half = random(SIZE);
    let asking: Promise<DataObject>;
    try {
      const box = base64url(await sealFor(secret, half, contextOf(user, credential)));
      const serverHalf = await custody.withKeys(user, (_keys, root) => base64url(xor(root, half)));
      asking = api.call("/v1/passkeys/added", { ...proof, box, half: serverHalf, site: custody.site });
    } catch (error) {
      forget(credential);
      throw error;
    } finally {
      wipe(half, secret);
    }
    // From here on it may be on the list, whatever is heard of it. One that is not is forgotten where it is used.
    return listOf(await asking.catch((error: unknown) => recheck(error, known.length, parts)));
  });
}

/** What the server has when its answer was lost; the challenge is good once. */
async function recheck(error: unknown, before: number, parts: Parts): Promise<List> {
  if (!isLost(error)) throw error;
  const list = await listPasskeys(parts);
  if (list.passkeys.length > before) return list;
  throw error;
}

/** Opens the wallet of who is signed in on this device; raises 4001 when the visitor cancels. */
export async function openByPasskey(user: User, turn: Turn, { api, custody }: Parts): Promise<User> {
  const { challenge, known } = await readAsked(await api.call("/v1/passkeys/open"));
  const used = await useful(shown(OPEN, turn), { kind: "get", challenge, known });
  turn.commit();
  const answer = await api.call("/v1/passkeys/opened", { credential: used.credential, ...used.proof });
  return custody.adopt(user, await halfOf(user, used, answer), answer);
}

/** Signs in, and opens the wallet on this device: who it is, the passkey tells; or makes a wallet for who is new. Raises 4001 when the visitor cancels. */
export async function connectByPasskey(parts: Parts): Promise<void> {
  parts.login.cancel();
  await parts.screen.run((turn) =>
    logIn(turn, parts).catch((error: unknown) => {
      if (!isFrameError(error) || error.reason !== "instead") throw error;
      return loadAccount().then((script) => script.makeWallet(turn, parts));
    }),
  );
}

async function logIn(turn: Turn, parts: Parts): Promise<void> {
  const { api, custody, login } = parts;
  const asked = await readAsked(await api.call("/v1/login/passkey"));
  const used = await useful(shown(LOG_IN, turn), { kind: "get", ...asked });
  turn.commit();
  const answer = await api.call("/v1/login/passkey/finish", { credential: used.credential, ...used.proof }).catch((error: unknown) => {
    if (isFrameError(error) && error.reason === "passkey_unknown") forget(used.credential);
    throw error;
  });
  const user = await begun(answer, parts);
  if (!(await custody.holds(user))) login.took(await custody.adopt(user, await halfOf(user, used, answer), answer));
  wipe(used.secret);
}

/** Takes over the session of who has come by a passkey. */
export async function begun(answer: DataObject, { login, store }: Parts): Promise<User> {
  const user = await login.begun(answer);
  // How they are logged in; who has no address is named by nothing else.
  await store.put("social", { user: user.id, provider: "passkey", userName: "" });
  return user;
}

/** Whether nobody knows what has become of a call. */
const isLost = (error: unknown): boolean => isFrameError(error) && /^(?:unreachable|timeout)$/.test(error.reason ?? "");

/** A passkey that gives a secret. */
type Useful = Outcome & { secret: Bytes };

/** Has a passkey used that can open a wallet; others are told apart, and nothing of them is kept. */
export async function useful(card: PasskeyCard, wanted: Wanted): Promise<Useful> {
  for (let silent = wanted.kind === "get"; ; silent = false) {
    const outcome = await card.use(wanted, silent);
    if (outcome.secret) return outcome as Useful;
    if (wanted.kind === "create" && outcome.able) {
      // Some give it when they are used, and not when they are made.
      card.say(ONCE_MORE);
      const { secret } = await card.use({ kind: "get", challenge: random(32), known: [unbase64url(outcome.credential)] });
      if (secret) return { ...outcome, secret };
    }
    if (wanted.kind === "create") forget(outcome.credential);
    card.fail(CANNOT_OPEN);
  }
}

async function halfOf(user: User, { credential, secret }: Useful, answer: DataObject): Promise<Bytes> {
  const box = unbase64url(text(answer["box"]) ?? "", 44);
  return openWith(secret, box, contextOf(user, credential));
}

/** What a passkey's box is bound to. */
export const contextOf = (user: Pick<User, "id">, credential: string): string => `passkey:${user.id}:${credential}`;

export function shown(words: Words, turn: Turn): PasskeyCard {
  const card = passkeyCard(words, turn.signal);
  turn.show(card.card);
  return card;
}

export function readBegun({ challenge, credentials = [] }: DataObject): { challenge: Bytes; known: Bytes[] } {
  if (!Array.isArray(credentials)) throw malformed();
  return { challenge: unbase64url(text(challenge) ?? "", 32), known: credentials.map((id) => unbase64url(text(id) ?? "")) };
}

/** The same of a ceremony in which a passkey is used. */
async function readAsked(begun: DataObject): Promise<{ challenge: Bytes; known: Bytes[] }> {
  return { ...readBegun(begun), challenge: await signedChallenge(begun["challenge"]) };
}

function listOf({ passkeys }: DataObject | List): List {
  if (!Array.isArray(passkeys)) throw malformed();
  return { passkeys };
}
