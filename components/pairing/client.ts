/** Carries out what the loader asks of the pairing: connect, request, disconnect, and what is left from before. */
import { Codes, type Code } from "./codes";
import { onOpened, openedApp, openForRequest, rememberApp } from "./opening";
import { CHOSEN_KEY, LINK_KEY, OPENED_KEY, PageStorage, type AskPage } from "./page_storage";
import { connectRelay, RelayLink } from "./relay_link";
import { reviveOnReturn } from "./returning";
import { openProvider, type Provider } from "./sdk";
import { SigningDesk, type Approved } from "./signing";
import { approvedChains, chainReference, describeSession, isApprovedMethod, isTexts, namespaceOf, type Chosen } from "./sessions";
import { hearEnded, tellEnded } from "./tabs";
import { IDLE, isWatched, onWatched, pairingShown, showPairing } from "./store";
import {
  PairingError,
  plainError,
  type Approval,
  type Namespace,
  type PairingConfig,
  type Proposal,
  type Sessions,
} from "./types";

/** How long a restored session may take to hear from its phone, ms: a deletion that waits at the relay comes first. */
const RESTORE_WAIT = 300;
/** How long an approval that may wait at the relay may take to arrive, ms: it comes in several messages. */
const APPROVAL_WAIT = 1_500;
/** How long the phone's relay may take to hear of an end before it is final here, ms. */
const FAREWELL = 2_000;
const SWITCH = "wallet_switchEthereumChain";
/** The server's own question, answered without the phone. No host can ask it: it is in no list of methods. */
const HAS_METHOD = "walletmodal_hasMethod";
const UNSUPPORTED = 4200;
const UNKNOWN_CHAIN = 4902;
const DISCONNECTED = 4900;
const INVALID = -32602;

export type Surface = {
  ask: AskPage;
  /** The phone changed what the pairing holds. */
  report(sessions: Sessions): void;
};

type Held = NonNullable<Provider["session"]>;
type Request = { namespace: Namespace; chain: string; method: string; params: unknown };

export class Pairing {
  readonly #storage: PageStorage;
  readonly #desk: SigningDesk;
  #codes: Codes<Approved> | null = null;
  #wish = "";
  /** Topics of the codes of this page life; what is approved under another was shown by a page before it. */
  readonly #shown = new Set<string>();
  #chosen: Chosen = { chains: {}, accounts: {} };
  #taken: Promise<void> = Promise.resolve();

  private constructor(
    private readonly provider: Provider,
    storage: PageStorage,
    private readonly link: RelayLink,
    private readonly surface: Surface,
  ) {
    this.#storage = storage;
    this.#desk = new SigningDesk(provider.client, storage);
  }

  /** Loads what the page has kept and starts the SDK. No connection is made before there is something to ask. */
  static async open(config: PairingConfig, surface: Surface): Promise<Pairing> {
    const storage = new PageStorage(surface.ask);
    const link = new RelayLink();
    let waiting: Pairing | null = null;
    const provider = await openProvider(config, storage, {
      link,
      unusable: () => {
        if (waiting) waiting.#codes?.fail(new PairingError(UNSUPPORTED, "The wallet has approved nothing that can be used"));
      },
    });
    link.watch(provider.client.core.relayer);
    const pairing = new Pairing(provider, storage, link, surface);
    waiting = pairing;
    const chosen = await storage.getItem<Partial<Chosen>>(CHOSEN_KEY);
    pairing.#chosen = { chains: { ...chosen?.chains }, accounts: { ...chosen?.accounts }, said: { ...chosen?.said } };
    rememberApp(await storage.getItem(LINK_KEY));
    pairing.#listen();
    hearEnded((topic) => pairing.#endedElsewhere(topic));
    await pairing.#desk.restore();
    onOpened((opened) => void storage.setItem(OPENED_KEY, opened));
    reviveOnReturn(provider.client.core.relayer);
    return pairing;
  }

  /** What the pairing holds now. */
  get sessions(): Sessions {
    return describeSession(this.provider.session, this.#chosen);
  }

  /** What is left from before, after the relay had a moment to say that the phone has ended it, or has approved meanwhile. */
  async restored(): Promise<Sessions> {
    const { client } = this.provider;
    const { relayer } = client.core;
    const waiting = client.proposal.getAll().some(({ expiryTimestamp }) => expiryTimestamp * 1000 > Date.now());
    if (waiting && !this.provider.session) {
      const approved = new Promise<void>((resolve) => client.once("session_connect", () => resolve()));
      const patience = new Promise((resolve) => setTimeout(resolve, APPROVAL_WAIT));
      connectRelay(relayer).catch(() => undefined);
      await Promise.race([approved.then(() => this.#taken), patience]);
    } else if (this.provider.session) {
      const patience = new Promise((resolve) => setTimeout(resolve, RESTORE_WAIT));
      const heard = connectRelay(relayer).then(() => new Promise((resolve) => setTimeout(resolve, RESTORE_WAIT / 6)));
      await Promise.race([patience, heard.catch(() => patience)]);
    }
    return this.sessions;
  }

  /** Shows a code until a phone approves it. The same wish again shows the same code; with `again` a fresh one. */
  async connect(proposal: Proposal, again: boolean): Promise<Approval> {
    const wish = JSON.stringify(proposal);
    if (!this.#codes || this.#codes.ended || wish !== this.#wish) this.#begin(proposal, wish);
    else if (again) void this.#codes.renew();
    else this.#codes.look();
    const codes = this.#codes!;
    const { cacaos } = await codes.outcome;
    return { sessions: this.sessions, cacaos };
  }

  async request({ namespace, chain, method, params }: Request): Promise<unknown> {
    const { session, client } = this.provider;
    if (!session) throw new PairingError(DISCONNECTED, "The wallet is not connected");
    const chains = approvedChains(session, namespace);
    const here = this.sessions[namespace];
    if (!here || chains[0] === undefined) throw new PairingError(DISCONNECTED, "The wallet is not connected");
    if (method === HAS_METHOD) return isTexts(params) && params.every((one) => isApprovedMethod(session, namespace, one));
    if (method === SWITCH) return await this.#switchChain(session, namespace, params, chains);
    if (!isApprovedMethod(session, namespace, method)) {
      throw new PairingError(UNSUPPORTED, `The wallet does not support ${method.slice(0, 64)}`);
    }
    const chainId = chains.includes(chain) ? chain : `${namespace}:${here.chain}`;
    return await client.request({ topic: session.topic, chainId, request: { method, params } });
  }

  /** Ends the session, on the phone too where it can be reached in time. */
  async disconnect(): Promise<void> {
    this.#codes?.end();
    showPairing(IDLE);
    const { session } = this.provider;
    if (!session) return;
    tellEnded(session.topic);
    const gone = this.provider.disconnect().then(
      () => true,
      () => false,
    );
    const patience = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), FAREWELL));
    if (!(await Promise.race([gone, patience]))) await this.#forget(session.topic);
    await this.#choose({ chains: {}, accounts: {} });
  }

  #begin(proposal: Proposal, wish: string): void {
    this.#codes?.end();
    this.#wish = wish;
    rememberApp(null);
    void this.#storage.removeItem(OPENED_KEY);
    showPairing({ phase: "starting", uri: "", expires: 0, error: null });
    const codes = new Codes<Approved>(() => this.#propose(proposal), {
      show: (uri, expires) => {
        if (this.#codes === codes) showPairing({ phase: "ready", uri, expires, error: null });
      },
      lapse: () => {
        if (this.#codes === codes) showPairing(IDLE);
      },
      isWatched,
    });
    this.#codes = codes;
    onWatched(() => codes.look());
    codes.outcome.then(
      () => {
        if (this.#codes === codes) showPairing(IDLE);
      },
      (failure: unknown) => {
        if (this.#codes === codes) showPairing({ ...IDLE, phase: "failed", error: plainError(failure) });
      },
    );
  }

  /** One proposal at the relay, and what the phone makes of it whenever it does. */
  async #propose({ namespaces, metadata, signIn }: Proposal): Promise<Code<Approved>> {
    const { provider } = this;
    // Given at the start, the SDK would have put this page's address in place of the host page's.
    Object.assign(provider.client, { metadata });
    // Where the browser hashes nothing, as on a page without encryption, the visitor signs after connecting.
    if (signIn && globalThis.crypto.subtle) {
      return await this.link.insist(async () => {
        const { uri, topic, approval } = await this.#desk.propose(signIn, namespaces);
        this.#shown.add(topic);
        return { uri, approval: this.#taking(approval) };
      });
    }
    return await this.link.insist(async () => {
      const { uri, approval } = await provider.client.connect({ optionalNamespaces: namespaces });
      if (!uri) throw new PairingError(-32603, "The relay gave no code");
      this.#shown.add(topicOf(uri));
      return { uri, approval: this.#taking(approval().then((session) => ({ session, cacaos: [] }))) };
    });
  }

  /** Whatever comes of a code is taken, whether or not somebody waits for it. */
  #taking(approval: Promise<Approved>): Promise<Approved> {
    const taken = approval.then(async (approved) => ({ ...approved, session: await this.#take(approved.session) }));
    taken.catch(() => undefined);
    return taken;
  }

  /** A phone has approved: its session is the one, also when the visitor has stopped waiting, and one before it ends. */
  async #take(session: Held): Promise<Held> {
    const { provider } = this;
    const late = !this.#codes || this.#codes.ended;
    const before = provider.session;
    provider.session = session;
    await this.#choose({ chains: {}, accounts: {} });
    if (openedApp()) await this.#storage.setItem(LINK_KEY, openedApp());
    else await this.#storage.removeItem(LINK_KEY);
    if (before && before.topic !== session.topic) {
      tellEnded(before.topic);
      void this.#forget(before.topic, true);
    }
    if (late) this.surface.report(this.sessions);
    return session;
  }

  /** A phone has approved the code of a page that was reloaded meanwhile. */
  async #adopt(session: Held): Promise<void> {
    if (this.#shown.has(session.pairingTopic)) return;
    rememberApp(await this.#storage.getItem(OPENED_KEY));
    await this.#take(session);
    this.#codes?.settle({ session, cacaos: [] });
  }

  async #switchChain(session: Held, namespace: Namespace, params: unknown, chains: string[]): Promise<null> {
    const wanted = Array.isArray(params) ? (params[0] as { chainId?: unknown } | undefined)?.chainId : undefined;
    const reference = typeof wanted === "string" ? chainReference(wanted, "") : "";
    if (namespace !== "eip155" || !/^\d+$/.test(reference)) throw new PairingError(INVALID, "The network is not named as it should be");
    if (!chains.includes(`eip155:${reference}`)) {
      if (!isApprovedMethod(session, namespace, SWITCH)) {
        throw new PairingError(UNKNOWN_CHAIN, "The wallet has not approved this network");
      }
      await this.provider.client.request({ topic: session.topic, chainId: chains[0]!, request: { method: SWITCH, params } });
    }
    await this.#choose({ ...this.#chosen, chains: { ...this.#chosen.chains, eip155: reference } });
    this.surface.report(this.sessions);
    return null;
  }

  #listen(): void {
    const { client } = this.provider;
    const ours = (topic: string): boolean => topic === this.provider.session?.topic;
    client.on("session_request_sent", ({ id, topic }) => {
      if (ours(topic)) openForRequest(id, topic);
    });
    client.on("session_event", ({ topic, params }) => {
      if (ours(topic)) void this.#heard(params.chainId, params.event);
    });
    client.on("session_update", ({ topic, params }) => {
      if (!ours(topic)) return;
      this.provider.session = { ...client.session.get(topic), namespaces: params.namespaces };
      this.surface.report(this.sessions);
    });
    client.on("session_connect", ({ session }) => {
      this.#taken = this.#adopt(session);
    });
    // The provider lets go of a deleted session by itself, in its own time; of an expired one never.
    client.on("session_delete", ({ topic }) => this.#ended(topic));
    client.on("session_expire", ({ topic }) => this.#ended(topic));
  }

  /** Another tab of the host has ended the session that it shares with this one: of that no phone tells whoever asked for it. */
  #endedElsewhere(topic: string): void {
    if (this.provider.session?.topic !== topic) return;
    this.#ended(topic);
    void this.#forget(topic).catch(() => undefined);
  }

  #ended(topic: string): void {
    const held = this.provider.session;
    if (held && held.topic !== topic) return;
    delete this.provider.session;
    this.#chosen = { chains: {}, accounts: {} };
    void this.#storage.removeItem(CHOSEN_KEY);
    this.surface.report({});
    // With a session the SDK gives up all codes that are waiting.
    if (pairingShown().phase === "ready") void this.#codes?.renew();
  }

  async #heard(chain: string, event: { name: string; data: unknown }): Promise<void> {
    const namespace = namespaceOf(chain);
    if (!namespace) return;
    const { chains, accounts, said = {} } = this.#chosen;
    if (event.name === "chainChanged") {
      const reference = chainReference(event.data, chain.slice(namespace.length + 1));
      const next = { accounts, said, chains: { ...chains, [namespace]: reference } };
      // What was not approved is no word of where the wallet is.
      const believed = describeSession(this.provider.session, next)[namespace]?.chain === reference;
      await this.#choose(believed ? { ...next, said: { ...said, [namespace]: (said[namespace] ?? 0) + 1 } } : next);
    } else if (event.name === "accountsChanged" && Array.isArray(event.data) && typeof event.data[0] === "string") {
      const address = event.data[0].slice(event.data[0].lastIndexOf(":") + 1);
      await this.#choose({ chains, said, accounts: { ...accounts, [namespace]: address } });
    } else return;
    this.surface.report(this.sessions);
  }

  async #choose(chosen: Chosen): Promise<void> {
    this.#chosen = chosen;
    await this.#storage.setItem(CHOSEN_KEY, chosen);
  }

  /** Drops a session here; with `tell` the phone hears of it if it can. */
  async #forget(topic: string, tell = false): Promise<void> {
    const { client } = this.provider;
    const reason = { code: 6000, message: "User disconnected." };
    if (this.provider.session?.topic === topic) delete this.provider.session;
    try {
      if (tell) await client.disconnect({ topic, reason });
    } catch {
      // Without the relay the end is ours alone; the phone's half runs out.
    }
    if (client.session.keys.includes(topic)) await client.session.delete(topic, reason);
  }
}

/** The pairing's topic, which its code names first: `wc:topic@2?…`. */
function topicOf(uri: string): string {
  return uri.slice(uri.indexOf(":") + 1, uri.indexOf("@"));
}
