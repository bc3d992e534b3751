/** The phone's wallet: WalletKit, with what waits for its owner's word. It decides nothing by itself. */
import type { IWalletKit, WalletKitTypes } from "@reown/walletkit";
import type { CoreTypes } from "@walletconnect/types";
import { getSdkError } from "@walletconnect/utils";
import { Emitter } from "../wallet/emitter";
import { ProviderRpcError, unauthorized } from "../wallet/errors";
import { prepareBitcoin } from "./bip122";
import { prepareEvm } from "./eip155";
import { kindOf } from "./kinds";
import { Networks } from "./networks";
import { preparePolkadot } from "./polkadot";
import { type Chosen, type Params, approvedFor } from "./proposal";
import type { Prepare, Prepared } from "./request";
import { type Session, addressesOf, chainsOf, changed } from "./session";
import { type SignInChoice, type SignInRequest, rememberSignsIn, signedFor, signsIn } from "./signing";
import { prepareSolana } from "./solana";

const PREPARE: Readonly<Record<string, Prepare>> = {
  eip155: prepareEvm,
  solana: prepareSolana,
  bip122: prepareBitcoin,
  polkadot: preparePolkadot,
};

export type Peer = CoreTypes.Metadata;

/** Something that waits for the owner. */
export type Pending =
  | { readonly kind: "proposal"; readonly id: number; readonly peer: Peer; readonly params: Params }
  | { readonly kind: "sign-in"; readonly id: number; readonly peer: Peer; readonly request: SignInRequest }
  | {
      readonly kind: "request";
      readonly id: number;
      readonly peer: Peer;
      readonly topic: string;
      readonly chain: string;
      readonly prepared: Prepared;
    };

type Request = Pick<WalletKitTypes.SessionRequest, "id" | "topic" | "params">;

/** Emits `changed` when there is something else to show, and `told` with a sentence for the owner. */
export class Phone extends Emitter {
  readonly #pending = new Map<number, Pending>();
  readonly #taken = new Set<number>();
  readonly #networks = new Networks();
  readonly #askToSignIn = ({ id, params }: WalletKitTypes.SessionAuthenticate): void => {
    this.#pending.set(id, { kind: "sign-in", id, peer: params.requester.metadata, request: params.authPayload });
    this.emit("changed");
  };

  constructor(readonly kit: IWalletKit) {
    super();
    kit.on("session_proposal", ({ id, params }) => this.#propose(id, params));
    if (signsIn()) kit.on("session_authenticate", this.#askToSignIn);
    kit.on("session_request", (request) => void this.#take(request));
    kit.on("proposal_expire", ({ id }) => this.#expire(id, "The app's code has expired. Ask it for a fresh one."));
    kit.on("session_request_expire", ({ id }) => this.#expire(id, "The request has expired."));
    kit.on("session_delete", ({ topic }) => this.#ended(topic));
    for (const event of ["relayer_connect", "relayer_disconnect"]) kit.core.relayer.on(event, () => this.emit("changed"));
  }

  /** Show again what waited when the page was left. */
  recall(): void {
    for (const params of Object.values(this.kit.getPendingSessionProposals())) this.#propose(params.id, params);
    for (const request of this.kit.getPendingSessionRequests()) void this.#take(request);
  }

  get online(): boolean {
    return this.kit.core.relayer.connected;
  }

  /** What the owner is to decide first. */
  get first(): Pending | undefined {
    return this.#pending.values().next().value;
  }

  get waiting(): number {
    return this.#pending.size;
  }

  get sessions(): readonly Session[] {
    return Object.values(this.kit.getActiveSessions());
  }

  /** Follow a pairing link; raises when it is used up or has expired. */
  async pair(uri: string): Promise<void> {
    await this.kit.pair({ uri });
  }

  /** Let the app see the chosen accounts. */
  async approve(pending: Pending & { kind: "proposal" }, chosen: Chosen): Promise<void> {
    await this.kit.approveSession({ id: pending.id, namespaces: approvedFor(pending.params, chosen) });
    this.#settle(pending, `Connected to ${pending.peer.name}. Go back to it.`);
  }

  /** Sign for the chosen networks, and with that connect. */
  async signIn(pending: Pending & { kind: "sign-in" }, choice: SignInChoice): Promise<void> {
    const auths = await signedFor(this.kit, pending.request, choice);
    await this.kit.approveSessionAuthenticate({ id: pending.id, auths });
    this.#settle(pending, `Signed in to ${pending.peer.name}. Go back to it.`);
  }

  /** Whether the phone signs while it connects; an app's code that was scanned before stays what it is. */
  set signsIn(on: boolean) {
    rememberSignsIn(on);
    // The SDK takes the plain proposal of the same code only where nobody listens for the other.
    this.kit.off("session_authenticate", this.#askToSignIn);
    if (on) this.kit.on("session_authenticate", this.#askToSignIn);
  }

  /** Do what the app asked for, and tell it the outcome. */
  async agree(pending: Pending & { kind: "request" }): Promise<void> {
    const outcome = await outcomeOf(pending.prepared.carryOut());
    await this.#respond(pending, outcome);
    this.#settle(pending, "error" in outcome ? `It failed: ${outcome.error.message}` : `Done. Go back to ${pending.peer.name}.`);
  }

  async reject(pending: Pending): Promise<void> {
    if (pending.kind === "proposal") {
      await this.kit.rejectSession({ id: pending.id, reason: getSdkError("USER_REJECTED") });
    } else if (pending.kind === "sign-in") {
      await this.kit.rejectSessionAuthenticate({ id: pending.id, reason: getSdkError("USER_REJECTED") });
    } else {
      await this.#respond(pending, { error: getSdkError("USER_REJECTED") });
    }
    this.#settle(pending, "Rejected.");
  }

  /** Put another account first, and tell the app. */
  async useAccount(session: Session, namespace: string, address: string): Promise<void> {
    const others = addressesOf(session, namespace).filter((one) => one !== address);
    const chains = chainsOf(session, namespace);
    await this.#update(session, changed(session, namespace, chains, [address, ...others]));
    await this.#tell(session, namespace, chains[0], "accountsChanged", [address, ...others]);
  }

  /** Move the session to another network, which it gets where it does not have it yet, and tell the app. */
  async useChain(session: Session, chain: string): Promise<void> {
    const [namespace = "", reference] = chain.split(":");
    const chains = chainsOf(session, namespace);
    if (!chains.includes(chain)) {
      await this.#update(session, changed(session, namespace, [...chains, chain], addressesOf(session, namespace)));
    }
    this.#networks.use(session.topic, chain);
    await this.#tell(session, namespace, chain, "chainChanged", Number(reference));
  }

  /** The network of eip155 that a session is on. */
  networkOf(session: Session): string | undefined {
    const chains = chainsOf(session, "eip155");
    const used = this.#networks.of(session.topic);
    return used !== undefined && chains.includes(used) ? used : chains[0];
  }

  async disconnect(session: Session): Promise<void> {
    await this.kit.disconnectSession({ topic: session.topic, reason: getSdkError("USER_DISCONNECTED") });
    this.#ended(session.topic);
  }

  #propose(id: number, params: Params): void {
    this.#pending.set(id, { kind: "proposal", id, peer: params.proposer.metadata, params });
    this.emit("changed");
  }

  async #take({ id, topic, params }: Request): Promise<void> {
    const session = this.kit.getActiveSessions()[topic];
    if (session === undefined || this.#taken.has(id)) return;
    this.#taken.add(id);
    const { chainId: chain, request } = params;
    const namespace = chain.split(":")[0] ?? "";
    try {
      const prepare = PREPARE[namespace];
      if (prepare === undefined || !chainsOf(session, namespace).includes(chain)) {
        throw unauthorized("The session has no permission for this network.");
      }
      const allowed = addressesOf(session, namespace);
      const switchChain = (to: string) => this.useChain(this.kit.getActiveSessions()[topic] ?? session, to);
      const prepared = await prepare({ method: request.method, params: request.params, chain, allowed, switchChain });
      this.#pending.set(id, { kind: "request", id, topic, peer: session.peer.metadata, chain, prepared });
      this.emit("changed");
    } catch (error) {
      await this.#respond({ id, topic }, { error: errorOf(error) });
      this.emit("told", `A request was refused: ${errorOf(error).message}`);
    }
  }

  #expire(id: number, sentence: string): void {
    if (!this.#pending.delete(id)) return;
    this.emit("told", sentence);
    this.emit("changed");
  }

  #ended(topic: string): void {
    this.#networks.forget(topic);
    for (const [id, pending] of this.#pending) {
      if (pending.kind === "request" && pending.topic === topic) this.#pending.delete(id);
    }
    this.emit("told", "Disconnected.");
    this.emit("changed");
  }

  #settle(pending: Pending, sentence: string): void {
    this.#pending.delete(pending.id);
    this.emit("told", sentence);
    this.emit("changed");
  }

  async #respond({ id, topic }: { id: number; topic: string }, outcome: Outcome): Promise<void> {
    await this.kit.respondSessionRequest({ topic, response: { id, jsonrpc: "2.0", ...outcome } });
  }

  async #update({ topic }: Session, namespaces: Session["namespaces"]): Promise<void> {
    await this.kit.updateSession({ topic, namespaces });
    this.emit("changed");
  }

  async #tell({ topic }: Session, namespace: string, chainId: string | undefined, name: string, data: unknown): Promise<void> {
    const events = this.kit.getActiveSessions()[topic]?.namespaces[namespace]?.events ?? [];
    if (chainId !== undefined && events.includes(name) && kindOf(namespace)?.events.includes(name)) {
      await this.kit.emitSessionEvent({ topic, chainId, event: { name, data } });
    }
    this.emit("changed");
  }
}

type Outcome = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

async function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  try {
    return { result: await work };
  } catch (error) {
    return { error: errorOf(error) };
  }
}

function errorOf(error: unknown): { code: number; message: string } {
  if (error instanceof ProviderRpcError) return { code: error.code, message: error.message };
  return { code: -32603, message: error instanceof Error ? error.message : String(error) };
}
