/**
 * One-click sign-in: the wallet signs a message while it pairs (`wc_sessionAuthenticate`), and its session begins with that.
 *
 * In place of the SDK's `authenticate`, whose messages these are: that one writes the time itself, lets only the newest of several codes
 * be answered, tells a refusal without its code, and asks a host of its maker whether a contract signed. Whether anybody signed, our server verifies.
 */
import type { PageStorage } from "./page_storage";
import type { Provider } from "./sdk";
import { PairingError, type Proposal, type SignInWish } from "./types";

type Client = Provider["client"];
type Session = NonNullable<Provider["session"]>;
type Peer = Session["peer"];

/** What a wallet has approved: its session, and what it signed, unverified. */
export type Approved = { session: Session; cacaos: unknown[] };
/** A code under which the wallet is asked both: to connect and sign, or where it cannot sign, to connect. */
export type SigningCode = { uri: string; topic: string; approval: Promise<Approved> };

/** The parts of the SDK that its types keep to itself. */
type Engine = {
  sendRequest(request: {
    topic: string;
    method: "wc_sessionAuthenticate";
    params: object;
    clientRpcId: number;
    throwOnFailedPublish: true;
  }): Promise<number>;
  events: { once(event: string, heard: (answer: Answer) => void): void };
};
type Answer = { error?: { code?: unknown; message?: unknown }; result?: unknown };

/** A code that may still be answered: our key, the request, and what the session is to be for. `ends`: seconds since 1970. */
type Question = {
  responses: string;
  publicKey: string;
  id: number;
  topic: string;
  ends: number;
  namespaces: Proposal["namespaces"];
};

const METHOD = "wc_sessionAuthenticate";
/** How a wallet says that it does not know the method: it answers the proposal instead. */
const UNKNOWN_METHOD = 10001;
const UNSUPPORTED = 4200;
/** The questions, for the next life of the frame. */
const QUESTIONS_KEY = "wc@2:walletmodal:questions";
/** How many codes of one visitor stay good at a time. */
const MAX_QUESTIONS = 8;
/** How long an answer may take, s; the relay keeps requests of this kind no longer. */
const PATIENCE = 3_600;
/** How long a session lasts, s, as the SDK's own do. */
const LIFETIME = 7 * 24 * 3_600;
const RELAY = { protocol: "irn" };
const OVER = { code: 0, message: "fulfilled" };
const EVENTS = ["accountsChanged", "chainChanged"];
const ISSUER = /^did:pkh:(eip155:\d{1,16}):(0x[\da-fA-F]{40})$/;
const RECAP = "urn:recap:";
const MAX_CACAOS = 32;

/** Asks wallets to sign in while they pair. One for each client: it lets every code be answered, not the newest alone. */
export class SigningDesk {
  #questions: Question[] = [];

  constructor(
    private readonly client: Client,
    private readonly storage: PageStorage,
  ) {
    const { crypto } = client.core;
    const decode = crypto.decode.bind(crypto);
    crypto.decode = (topic, message, options) => {
      const receiverPublicKey = this.#questions.find(({ responses }) => responses === topic)?.publicKey;
      return decode(topic, message, receiverPublicKey ? { ...options, receiverPublicKey } : options);
    };
  }

  /** Goes on waiting for answers to the codes of the page before; the SDK tells of them by `session_connect`. */
  async restore(): Promise<void> {
    const kept = await this.storage.getItem<Question[]>(QUESTIONS_KEY);
    const now = Math.floor(Date.now() / 1_000);
    this.#questions = (Array.isArray(kept) ? kept : []).filter((one) => isQuestion(one) && one.ends > now);
    for (const question of this.#questions) this.#answer(question).catch(() => undefined);
  }

  /** One code at the relay, and what the wallet makes of it. */
  async propose(wish: SignInWish, namespaces: Proposal["namespaces"]): Promise<SigningCode> {
    const { pairing, crypto, relayer } = this.client.core;
    const { topic, uri } = await pairing.create({ methods: [METHOD] });
    const publicKey = await crypto.generateKeyPair();
    const responses = await hashOf(publicKey);
    const ends = Math.floor(Date.now() / 1_000) + PATIENCE;
    const id = Date.now() * 1_000 + Math.floor(Math.random() * 1_000);
    const question = { responses, publicKey, id, topic, ends, namespaces };
    // The SDK gives up, every few seconds, each topic that is not one of its own: among pairings it is.
    await pairing.pairings.set(responses, { topic: responses, expiry: ends, relay: RELAY, active: true });
    await relayer.subscribe(responses);
    await this.#keep([...this.#questions, question].slice(-MAX_QUESTIONS));
    const signed = this.#answer(question);
    signed.catch(() => undefined);
    const engine = this.client.engine as unknown as Engine;
    await engine.sendRequest({
      topic,
      method: METHOD,
      params: {
        authPayload: requestOf(wish),
        requester: { publicKey, metadata: this.client.metadata },
        expiryTimestamp: ends,
      },
      clientRpcId: id,
      throwOnFailedPublish: true,
    });
    // The proposal of a plain connection goes under the same code only where the pairing counts as one that is there already.
    await pairing.pairings.update(topic, { active: true });
    const { approval } = await this.client.connect({ optionalNamespaces: namespaces, pairingTopic: topic });
    await pairing.pairings.update(topic, { active: false });
    const connected = approval().then(async (session) => {
      await this.#close();
      return { session, cacaos: [] };
    });
    return { uri, topic, approval: Promise.race([signed, connected]) };
  }

  /** Nobody waits for answers any more. */
  async #close(): Promise<void> {
    const { pairings } = this.client.core.pairing;
    const over = this.#questions;
    await this.#keep([]);
    for (const { responses } of over) if (pairings.keys.includes(responses)) await pairings.delete(responses, OVER);
  }

  async #keep(questions: Question[]): Promise<void> {
    this.#questions = questions;
    if (questions.length) await this.storage.setItem(QUESTIONS_KEY, questions);
    else await this.storage.removeItem(QUESTIONS_KEY);
  }

  /** What the wallet answers to the request, or why there will be nothing; never, where it answers the proposal instead. */
  #answer(question: Question): Promise<Approved> {
    return new Promise((resolve, reject) => {
      const engine = this.client.engine as unknown as Engine;
      engine.events.once(`session_request:${question.id}`, ({ error, result }) => {
        if (!error) this.#settle(result, question).then(resolve, reject);
        else if (error.code !== UNKNOWN_METHOD) reject(error);
      });
    });
  }

  /** The session that begins with an answer. */
  async #settle(result: unknown, { topic: pairingTopic, publicKey, namespaces }: Question): Promise<Approved> {
    const { client } = this;
    const { cacaos, responder } = (result ?? {}) as { cacaos?: unknown; responder?: Peer };
    const granted = grantOf(cacaos, namespaces.eip155);
    if (!granted || typeof responder?.publicKey !== "string") {
      throw new PairingError(UNSUPPORTED, "The wallet has approved nothing that can be used");
    }
    const topic = await client.core.crypto.generateSharedKey(publicKey, responder.publicKey);
    await client.core.relayer.subscribe(topic);
    const expiry = Math.floor(Date.now() / 1_000) + LIFETIME;
    await client.session.set(topic, {
      topic,
      pairingTopic,
      expiry,
      acknowledged: true,
      self: { publicKey, metadata: client.metadata },
      peer: { publicKey: responder.publicKey, metadata: responder.metadata },
      controller: responder.publicKey,
      relay: RELAY,
      requiredNamespaces: {},
      optionalNamespaces: namespaces,
      namespaces: { eip155: granted },
    });
    client.core.expirer.set(topic, expiry);
    // With a session the SDK gives up all codes that are waiting.
    for (const { id } of client.proposal.getAll()) await client.proposal.delete(id, OVER);
    await this.#close();
    const session = client.session.get(topic);
    client.events.emit("session_connect", { session });
    return { session, cacaos: cacaos as unknown[] };
  }
}

/** The request as wallets know it (CAIP-122). */
function requestOf({ uri, exp, requestId, ...wish }: SignInWish): object {
  const optional = { ...(exp && { exp }), ...(requestId && { requestId }) };
  return { ...wish, ...optional, type: "caip122", version: "1", aud: uri };
}

/** Whether the page has kept a question as it was; whatever else it gives is none. */
function isQuestion(value: Partial<Record<keyof Question, unknown>> | null): value is Question {
  const texts = [value?.responses, value?.publicKey, value?.topic].every((text) => typeof text === "string");
  return texts && typeof value?.id === "number" && typeof value.ends === "number" && typeof value.namespaces === "object";
}

type Grant = { chains: string[]; accounts: string[]; methods: string[]; events: string[] };

/** What the wallet opens, as far as it was asked for; null where it makes no sense. */
function grantOf(cacaos: unknown, asked: Proposal["namespaces"][string] | undefined): Grant | null {
  if (!asked || !Array.isArray(cacaos) || !cacaos.length || cacaos.length > MAX_CACAOS) return null;
  const chains = new Set<string>();
  const accounts = new Set<string>();
  const methods = new Set<string>();
  for (const cacao of cacaos as { p?: { iss?: unknown; resources?: unknown } }[]) {
    const [, chain, address] = ISSUER.exec(String(cacao?.p?.iss)) ?? [];
    const recap = recapOf(cacao?.p?.resources);
    if (!chain || !address || !recap) return null;
    for (const each of [chain, ...recap.chains].filter((one): one is string => asked.chains.includes(one as string))) {
      chains.add(each);
      accounts.add(`${each}:${address}`);
    }
    for (const method of recap.methods) if (asked.methods.includes(method)) methods.add(method);
  }
  if (!accounts.size || !methods.size) return null;
  return { chains: [...chains], accounts: [...accounts], methods: [...methods], events: EVENTS };
}

/** Methods and networks of the recap (EIP-5573), which stands last. */
function recapOf(resources: unknown): { methods: string[]; chains: unknown[] } | null {
  const last: unknown = Array.isArray(resources) ? resources.at(-1) : undefined;
  if (typeof last !== "string" || !last.startsWith(RECAP)) return null;
  try {
    const { att } = JSON.parse(atob(last.slice(RECAP.length))) as { att?: { eip155?: Record<string, { chains?: unknown }[]> } };
    const abilities = Object.entries(att?.eip155 ?? {});
    return {
      methods: abilities.map(([ability]) => ability.replace(/^request\//, "")),
      chains: abilities.flatMap(([, limits]) => limits[0]?.chains ?? []),
    };
  } catch {
    return null;
  }
}

/** The topic of a key: its hash, as both sides of the protocol make it. */
async function hashOf(publicKey: string): Promise<string> {
  const bytes = Uint8Array.from(publicKey.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
