/** The script of passkeys that own Safes: which there are, how one becomes an owner, and what one signs. Fetched when one has a part in an operation. */
import { hex, unbase64url, type Bytes } from "./bytes";
import type { Summary } from "./cards/card";
import { isObject, text, type Data } from "./clean";
import { t } from "./language";
import { readAssertion } from "./passkey_owner/assertion";
import { contractSignature, creation, signerAddress, VERIFIER, type Assertion, type Point } from "./passkey_owner/signer";
import { SIGNER_FACTORY } from "./safe/contracts";
import { ADD } from "./safe/owners";
import { FOREVER } from "./safe/signatures";
import type { Asked, Core, LaterScript, PasskeyOperation, PasskeyPlan } from "./scripts";
import type { Turn } from "./screen";
import { addressWord, word } from "./smart_account/abi";

/** A passkey of the wallet, as the server tells of it; that the key is the passkey's own, its signature shows. */
interface Passkey extends Point {
  credential: Bytes;
  name: string;
  made: number;
  /** Its contract. */
  signer: string;
}

const NOT_SIGNED = "That was not the passkey that was asked for. Nothing was signed";

async function passkeysOf({ api }: Asked, { keccak, malformed }: Core): Promise<Passkey[]> {
  const { keys } = await api.call("/v1/passkeys/keys");
  if (!Array.isArray(keys)) throw malformed();
  return keys.map((given) => {
    const { credential, x, y, name, createdAt } = isObject(given) ? given : {};
    if (!isNumber(x) || !isNumber(y) || typeof createdAt !== "number") throw malformed();
    return { credential: unbase64url(text(credential) ?? ""), x, y, name: text(name, 64) ?? "", made: createdAt, signer: signerAddress({ x, y }, keccak) };
  });
}

const isNumber = (given: Data | undefined): given is string => typeof given === "string" && /^[0-9a-f]{64}$/.test(given);

/** Whether contracts of passkeys can be made on the network, and verify there. */
async function isUsable({ node }: Asked): Promise<boolean> {
  const codes = await Promise.all([SIGNER_FACTORY, VERIFIER].map((contract) => node("eth_getCode", [contract, "latest"])));
  return codes.every((code) => typeof code === "string" && code.length > 2);
}

/** Tells the passkeys of the wallet that can be owners on the network. */
export async function tellPasskeys(asked: Asked, core: Core): Promise<Data> {
  if (!(await isUsable(asked))) return [];
  return (await passkeysOf(asked, core)).map(({ x, y, name, made }) => ({ x, y, name, createdAt: made }));
}

/** Reads the part that passkeys have in an operation. */
export async function planPasskey({ safe, calls, signer, digest }: PasskeyOperation, asked: Asked, core: Core, ask: LaterScript["passkeyCard"]): Promise<PasskeyPlan> {
  const passkeys = await passkeysOf(asked, core);
  const added = passkeys.find((one) => isAddition(calls, safe, one));
  const signing = passkeys.find((one) => one.signer === signer?.toLowerCase());
  if (signer && !signing) throw new core.FrameError("This passkey is none of your wallet", undefined, "passkey_unknown");
  if (added && !(await isUsable(asked))) throw new core.FrameError("Passkeys cannot own accounts on this network", 4200);
  /** Has a passkey used for the operation. */
  const use = async (passkey: Passkey, turn: Turn): Promise<Assertion> => {
    const title = passkey === signing ? t`Sign with your passkey` : t`Use the new owner`;
    const card = ask({ title, lines: [useOf(passkey)], button: t`Continue` }, turn.signal);
    turn.show(card.card);
    const outcome = await card.use({ kind: "get", challenge: Uint8Array.from(digest), known: [passkey.credential], signs: true }, true);
    return readAssertion(outcome, passkey.credential, digest, passkey).catch(() => {
      throw new core.FrameError(NOT_SIGNED, undefined, "passkey");
    });
  };
  return {
    change: added ? describeAddition(added, core) : null,
    rows: signing ? [{ label: t`Signed by`, value: nameOf(signing) }] : [],
    passkey: {
      signs: !!signing,
      use: async (turn) => {
        if (added) await use(added, turn);
        return signing ? { signature: `0x${FOREVER}${contractSignature(signing.signer, await use(signing, turn))}` } : undefined;
      },
    },
  };
}

/** Whether the calls make a passkey an owner, and do nothing else: its contract first, whose address is worked out here. */
function isAddition(calls: PasskeyOperation["calls"], safe: string, passkey: Passkey): boolean {
  const wanted = [
    [SIGNER_FACTORY, creation(passkey)],
    [safe.toLowerCase(), ADD + addressWord(passkey.signer) + word(1)],
  ];
  const given = calls.map(({ to, value, data }) => [to.toLowerCase(), hex(data), ...(value ? ["with coins"] : [])]);
  return JSON.stringify(given) === JSON.stringify(wanted);
}

function describeAddition(passkey: Passkey, { checksummed }: Core): Summary {
  const name = nameOf(passkey);
  return {
    title: t`Add a passkey as an owner`,
    sections: [
      {
        rows: [
          { label: t`Will control this account`, value: name },
          { label: t`By its contract`, value: checksummed(passkey.signer), tone: "code" },
        ],
      },
    ],
    warnings: [t`The ${name} will control this account: it can move everything in it without your wallet's key, and remove that as an owner.`],
  };
}

function nameOf({ name, made }: Passkey): string {
  const date = new Date(made).toLocaleDateString([], { dateStyle: "medium" });
  return name ? t`passkey of ${name}, made ${date}` : t`passkey of a device, made ${date}`;
}

function useOf(passkey: Passkey): string {
  const name = nameOf(passkey);
  return t`Use the ${name}.`;
}
