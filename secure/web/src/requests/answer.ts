/** A request from its reading to its signature: what has to wait is said before the visitor is asked, and what they approve is carried out. */
import type { Card } from "../cards/card";
import { askConsent } from "../cards/consent";
import { askInWindow } from "../cards/window";
import { isObject, type Data } from "../clean";
import { meta } from "../elements";
import type { RpcRequest } from "../protocol";
import type { Turn } from "../screen";
import type { Core, Signer } from "../scripts";
import type { Addresses } from "../keys";
import type { User } from "../user";
import { readRequest } from "./index";

/** Has a request approved and signed; returns what a wallet answers to it. */
export async function answerRequest(request: RpcRequest, user: User, turn: Turn, signer: Signer, core: Core): Promise<Data> {
  const { method, params, chain, hint } = request;
  const { api, custody, asking } = signer;
  const who = asking(request.site);
  const node = async (asked: string, given: Data): Promise<Data> => {
    const { result, rpcError } = await api.call("/v1/rpc", { chain, method: asked, params: given });
    if (!isObject(rpcError)) {
      if (result === undefined) throw core.malformed();
      return result;
    }
    const { code, message, data } = rpcError;
    const words = typeof message === "string" && message ? message.slice(0, 500) : "The network has refused the request";
    throw new core.FrameError(words, typeof code === "number" ? code : undefined, "rpc", data);
  };
  const plan = await readRequest({ method, params, chain, origin: who.origin, addresses: user.wallet as Addresses, node }, core);
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
}
