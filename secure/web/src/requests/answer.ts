/** A request from its reading to its signature: what has to wait is said before the visitor is asked, and what they approve is carried out. */
import type { Card } from "../cards/card";
import { askConsent } from "../cards/consent";
import { askInWindow } from "../cards/window";
import type { Data } from "../clean";
import { meta } from "../elements";
import type { Addresses } from "../keys";
import type { RpcRequest } from "../protocol";
import type { Asked, Core, Signer } from "../scripts";
import { METHODS, readRequest, READS, readWallet } from "./index";

/** Has a request approved and signed, or answers what nobody has to approve; returns what a wallet answers to it. */
export async function answerRequest({ method, params, chain, hint, site }: RpcRequest, signer: Signer, core: Core): Promise<Data> {
  const { custody, login, screen, store } = signer;
  const who = signer.asking(site);
  const read = async (): Promise<Asked> => {
    const { wallet } = await login.userWithWallet();
    const node = (asked: string, given: Data, other = chain) => signer.node(other, asked, given);
    return { method, params, chain, origin: who.origin, addresses: wallet as Addresses, node, store };
  };
  if (READS.has(method)) return readWallet(await read(), core);
  if (!METHODS.has(method)) throw new core.FrameError(`${method} is not supported`, 4200);
  return screen.run(async (turn) => {
    const user = await login.userWithWallet();
    const plan = await readRequest(await read(), core);
    const moves = !/l_sign$|ssage$/.test(method);
    const waits = moves && !!user.heldUntil;
    const guard = waits || meta("walletmodal-window-above") ? await core.loadLater() : null;
    const measured = waits && guard ? await guard.endHold(turn, signer, chain, plan.transactions) : {};
    const card: Card = { ...plan.summary, ...who, network: plan.network, account: plan.account, hint, apart: guard?.isLarge(plan, chain) ?? false };
    const consent = askConsent(card, () => askInWindow(card, turn.signal));
    turn.signal.addEventListener("abort", consent.stop);
    turn.show(consent.card);
    document.getElementById("title")?.focus({ preventScroll: true });
    if (!(await consent.given)) throw core.rejected();
    // What the visitor has approved is carried out, also when the modal is closed meanwhile.
    turn.commit();
    consent.working();
    const signed = await custody.withKeys(user, plan.sign, () => custody.serverHalf(moves ? "transfer" : "sign", measured));
    return (await plan.send?.(signed)) ?? signed;
  });
}
