/** The window of a hand-over: it has this site's own storage, shows which site asks, and does nothing without a click. */
import { Api } from "../api";
import { drawBody, drawHead } from "../cards/card";
import { Visibility } from "../cards/visibility";
import { base64url, concat, random, unbase64url, wipe, xor } from "../bytes";
import { text } from "../clean";
import { dropHalves, halfOf } from "../custody";
import { Device, type Sealed } from "../device";
import { oneTimeKey, openSealed, rawPoint, sealTo } from "../ecies";
import { element } from "../elements";
import { isFrameError } from "../errors";
import { explain, t } from "../language";
import { serveWindow } from "../own_window";
import { MemoryStore, openStore, type Store } from "../storage";
import { malformed, type User } from "../user";
import { contextOf, TO_FRAME, TO_WINDOW, type Asked, type Kept, type Ready, type Wanted } from "./frame";

/** Whose wallet was kept here last. */
const REMEMBERED = "remembered";
const DENIED = t`Your browser does not let this site keep anything. Allow it to store data, or use a passkey on each site.`;
const NOTHING = t`This browser does not keep your wallet for other sites yet. Open it in another way here, or on a site where you use it choose Devices in the settings, and there Use on other sites.`;
const ANOTHER = t`This browser keeps the wallet of another account. Log in with that account, or open this one in another way.`;
const REMOVED = t`What this browser has kept opens your wallet no longer: it was removed from your devices. Open the wallet in another way.`;
const FAILED = t`The wallet could not be opened. Please try again, or open it in another way.`;
const SIZE = 16;

/** How a window ends: an answer for the frame, or a sentence that the visitor reads first. */
type Outcome = { answer: object } | { failed: string };

interface Words {
  title: string;
  /** What it leads to. */
  afterwards: string;
  button: string;
}

const USE: Words = {
  title: t`Open your wallet on this site?`,
  afterwards: t`This site can ask you to sign and to pay. Go on only if you have just begun this there.`,
  button: t`Open it`,
};
const KEEP: Words = {
  title: t`Keep your wallet in this browser?`,
  afterwards: t`Where you log in on other sites, a window like this opens your wallet. The list of your devices has it, and can remove it.`,
  button: t`Keep it`,
};

/** Is the window that gives the wallet to another site. */
export async function beHandoverWindow(opener: Window): Promise<void> {
  const store = await openStore();
  serveWindow<Wanted>(opener, (wanted) => card(USE, wanted, missing(wanted.user, store), () => handOver(wanted, store)));
}

/** Is the window that keeps a set. */
export async function beRememberWindow(opener: Window): Promise<void> {
  const store = await openStore();
  const [device, own] = await Promise.all([Device.open(store), oneTimeKey()]);
  const ready: Ready = { device: device.id, key: base64url(await rawPoint(own.publicKey)) };
  const denied = Promise.resolve(store instanceof MemoryStore ? DENIED : "");
  serveWindow<Kept>(opener, (kept) => card(KEEP, kept, denied, () => keep(kept, own.privateKey, device, store)), ready);
}

async function missing(user: User, store: Store): Promise<string> {
  if (await store.get(halfOf(user.id, user.wallet!))) return "";
  const other = await store.get(REMEMBERED);
  return other && other !== user.id ? ANOTHER : NOTHING;
}

async function handOver({ user, handover, key }: Wanted, store: Store): Promise<Outcome> {
  const place = halfOf(user.id, user.wallet!);
  const device = await Device.open(store);
  const given = await new Api(device).call("/v1/handover/finish", { handover }).catch(async (error: unknown) => {
    if (!isFrameError(error)) throw error;
    if (error.reason !== "device_unknown") return { failed: explain(error) };
    await dropHalves(store, place);
    return { failed: REMOVED };
  });
  if (text(given["failed"])) return { failed: given["failed"] as string };
  const { half, grant } = given as { half?: unknown; grant?: unknown };
  const own = await device.unseal((await store.get(place)) as Sealed, place);
  const theirs = unbase64url(text(half) ?? "", SIZE);
  const fresh = random(SIZE);
  // Split anew: what this window has stays its own.
  const set = concat(fresh, xor(xor(own, theirs), fresh));
  try {
    const box = base64url(await sealTo(unbase64url(key, 65), set, TO_FRAME, contextOf(user, handover)));
    return { answer: { box, grant: text(grant) } };
  } finally {
    wipe(own, theirs, fresh, set);
  }
}

async function keep({ user, box, known }: Kept, key: CryptoKey, device: Device, store: Store): Promise<Outcome> {
  const place = halfOf(user.id, user.wallet!);
  // A half that opens the wallet is replaced by none of which the server may never hear.
  const had = known && (await store.get(place)) !== undefined;
  if (!had) {
    const half = await openSealed(key, unbase64url(box), TO_WINDOW, user.id);
    if (half.length !== SIZE) throw malformed();
    await store.put(place, await device.seal(half, place), true);
    wipe(half);
  }
  await store.put(REMEMBERED, user.id);
  return { answer: { had } };
}

/** Draws the card. `missing`: why nothing can be done here, "" where it can; `carryOut`: what a click does. */
function card({ title, afterwards, button }: Words, { user, site }: Asked, missing: Promise<string>, carryOut: () => Promise<Outcome>) {
  const status = element("p", { class: "status", role: "status" });
  const cancel = element("button", { type: "button", "data-testid": "popup-reject" }, t`Cancel`);
  const go = element("button", { type: "button", class: "main", "data-testid": "popup-approve", disabled: true }, button);
  const rows = [
    { label: t`Account`, value: user.email || t`Without an email address` },
    { label: "Ethereum", value: user.wallet!.evm, tone: "code" as const },
    { label: t`Afterwards`, value: afterwards },
  ];
  const about = { title, origin: site, vouched: true, sections: [{ rows }], warnings: [], network: "", account: "", hint: null };
  const body = drawBody(about);
  const shown = element(
    "main",
    { class: "card", "aria-labelledby": "title" },
    drawHead(about),
    body,
    element("footer", {}, status, element("div", { class: "buttons" }, cancel, go)),
  );
  const answer = new Promise<object | null>((resolve) => {
    let visibility: Visibility | undefined;
    const fail = (failed: string) => {
      body.replaceChildren(element("div", { class: "recovery" }, element("p", { class: "error", role: "alert", "data-testid": "popup-error" }, failed)));
      status.textContent = "";
      go.hidden = true;
      cancel.textContent = t`Close`;
      cancel.disabled = false;
      cancel.onclick = () => resolve({ failed });
    };
    cancel.onclick = () => resolve(null);
    void missing.then(
      (why) => {
        if (why) fail(why);
        else visibility = new Visibility(shown, (ripe) => (go.disabled = !ripe), true);
      },
      () => fail(FAILED),
    );
    go.onclick = (event) => {
      if (!event.isTrusted || !visibility?.ripe) return;
      visibility.stop();
      go.disabled = cancel.disabled = true;
      status.textContent = t`One moment…`;
      carryOut().then(
        (outcome) => ("failed" in outcome ? fail(outcome.failed) : resolve(outcome.answer)),
        () => fail(FAILED),
      );
    };
  });
  return { card: shown, answer };
}
