/** A request from its reading to its signature: what has to wait is said before the visitor is asked, and what they approve is carried out. */
import type { Card } from "../cards/card";
import { askConsent } from "../cards/consent";
import { askInWindow } from "../cards/window";
import { isObject, type Data } from "../clean";
import { meta } from "../elements";
import { askingPage } from "../host_page";
import type { RpcRequest } from "../protocol";
import type { Turn } from "../screen";
import type { Asked, Core, SafeScript, Sign, Signer } from "../scripts";
import type { Addresses } from "../keys";
import type { User } from "../user";
import { readRequest, readWallet } from "./index";

/** Answers what nobody has to approve. */
export const answerRead = (request: RpcRequest, user: User, signer: Signer, core: Core): Promise<Data> =>
  readWallet(askedOf(request, user, signer, core), core);

/** Has a request approved and signed; returns what a wallet answers to it. */
export async function answerRequest(request: RpcRequest, user: User, turn: Turn, signer: Signer, core: Core): Promise<Data> {
  const { chain, hint } = request;
  const { custody } = signer;
  const asked = askedOf(request, user, signer, core);
  const plan = await (meta("safe") ? ((await core.loadSmartAccount()) as SafeScript).planRequest(asked, core, readRequest) : readRequest(asked, core));
  // A text moves nothing. What nobody can read may be the hash of what a Safe of this account is to send.
  const moves = plan.summary.text === undefined || !!plan.summary.unreadable;
  // What a passkey signs needs nothing of the device.
  const waits = moves && !!user.heldUntil && !plan.passkey?.signs;
  const guard = waits || meta("window-above") ? await core.loadLater() : null;
  const measured = waits && guard ? await guard.endHold(turn, signer, chain, plan.transactions) : {};
  const card: Card = { ...plan.summary, ...askingPage(request.site), network: plan.network, account: plan.account, hint, apart: guard?.isLarge(plan, chain) ?? false };
  const consent = askConsent(card, () => askInWindow(card, turn.signal));
  turn.signal.addEventListener("abort", consent.stop);
  turn.show(consent.card);
  if (!(await consent.given)) throw core.rejected();
  const ofPasskey = await plan.passkey?.use(turn);
  // What the visitor has approved is carried out, also when the modal is closed meanwhile.
  turn.commit();
  consent.working();
  const sign: Sign = (use) => custody.withKeys(user, use, () => custody.serverHalf(moves ? "transfer" : "sign", measured));
  const signed = ofPasskey ?? (await sign(plan.sign));
  return (await plan.send?.(signed, sign, consent.working)) ?? signed;
}

function askedOf({ method, params, chain, site }: RpcRequest, user: User, { api, store }: Signer, core: Core): Asked {
  const node = async (asked: string, given: Data, other = chain): Promise<Data> => {
    const { result, rpcError } = await api.call("/v1/rpc", { chain: other, method: asked, params: given });
    if (!isObject(rpcError)) {
      if (result === undefined) throw core.malformed();
      return result;
    }
    const { code, message, data } = rpcError;
    const words = typeof message === "string" && message ? message.slice(0, 500) : "The network has refused the request";
    throw new core.FrameError(words, typeof code === "number" ? code : undefined, "rpc", data);
  };
  return { method, params, chain, origin: askingPage(site).origin, addresses: user.wallet as Addresses, node, store, api };
}
