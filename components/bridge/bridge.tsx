import { useContext, useEffect, useLayoutEffect, useRef } from "react";
import env from "$/env.json";
import { EventLoopContext, StateStoreContext } from "$/utils/context";
import { getBackendURL } from "$/utils/state";
import { AUTH, configureSecure } from "$/public/external/walletmodal/components/embedded/embedded/config.ts";
import type { SecureConfig } from "$/public/external/walletmodal/components/embedded/embedded/types.ts";
import {
  configurePairing,
  fetchWhenPointedAt,
  pairingAsked,
  storageAnswered,
} from "$/public/external/walletmodal/components/pairing/pairing/exchange.ts";
import { isMobileAgent, noteMarks, standIn, systemOf } from "$/public/external/walletmodal/components/pairing/pairing/host.ts";
import { type PairingConfig } from "$/public/external/walletmodal/components/pairing/pairing/types.ts";
import { showIn } from "$/public/external/walletmodal/components/language/language/switch_language.ts";
import { answered, begin, heard, noteAway, repeat } from "./calls";
import { inlined } from "./pictures";
import { watch } from "./store";
import { applyTheme, permitTheme } from "./theme";
import type { Command, News, PublicState } from "../../loader/src/protocol";

type Payload = Record<string, unknown>;
type Emit = ((payload: Payload) => void) | undefined;
/** What the host is told of, once the server has spoken (`sync`) about its page. */
type Told = {
  sync: string;
  page: string;
  place: Pick<PublicState, "open" | "view" | "loading" | "initialized">;
  network: Payload & { caipNetworkId: string; chainNamespace: string };
  accounts: PublicState["accounts"];
};
type Props = {
  sync?: string;
  page?: string;
  hostState?: (stateOf: (name: string) => unknown) => Told;
  commands?: Command[];
  heard?: string[];
  news?: News;
  overWebsocket?: string[];
  themeChanges?: string[];
  pairing?: PairingConfig;
  secure?: SecureConfig;
  confirming?: boolean;
  identify?: string;
  onInit?: Emit;
  onSnapshot?: Emit;
  onReply?: Emit;
  onCall?: Emit;
  onCallOnline?: Emit;
  onRequest?: Emit;
  onRequestOnline?: Emit;
  onBrowser?: Emit;
};

const MAX_MESSAGE = 256 * 1024;
/** As many as the loader has wait for an answer at the same time. */
const MAX_WAITING = 5000;
const ours = new Set<string>();
let lastState = "";
/** What the loader said first; a session that the server lost is told it again, with a fresh snapshot. */
let init: Payload | null = null;
let introduce = false;

function remember(changed: unknown): void {
  if (!init || typeof changed !== "object") return;
  const known = init.options as Payload;
  const options = { ...known, ...changed } as Payload;
  const features = { ...(known.features as Payload), ...(options.features as Payload) };
  init = { ...init, options: { ...options, features } };
}

/** The host as the loader says it, with what only the browser knows: where the port came from, and which system this is. */
function known(host: Payload): Payload {
  const agent = navigator.userAgent;
  const system = systemOf(agent, host.mobile === true);
  standIn(host, system);
  return { ...host, origin: window.__walletmodal.origin, mobile: host.mobile === true || isMobileAgent(agent), system };
}

/** A line for the host's console: it ends in the frame, and needs no wallet. */
function warn(command: Command, reply: Emit): void {
  if (ours.has(command.id)) return;
  ours.add(command.id);
  // What was meant for the page before is not told to this one.
  if (command.epoch === init?.epoch) window.__walletmodal.post("warn", command.params as Payload);
  reply?.({ id: command.id, epoch: command.epoch, ok: true, value: null, error: null });
}

/** What is pending, for the page that the server means: in a tab that has gone on to another host, that one is told nothing of it. */
function tellCommands({ sync, page, commands = [], onReply }: Props): void {
  if (!sync) return;
  commands.filter((c) => c.method === "host.warn").forEach((c) => warn(c, onReply));
  if (page !== init?.epoch) return;
  // Of a wallet's answer the host hears without the server.
  commands.forEach(({ params }) => answered(String(params.request ?? "")));
  window.__walletmodal.post("commands", { commands: commands.filter((c) => c.method !== "host.warn") });
}

const HEARD = "walletmodal_heard";

/** Events for the host's subscribers, each once; where the last one stands outlives a reload of the frame. */
function tell({ epoch, items }: News): void {
  if (!items.length || epoch !== init?.epoch) return;
  const heard = items.findIndex(({ number }) => String(number) === sessionStorage.getItem(HEARD));
  for (const { number, event, properties } of items.slice(heard + 1)) {
    sessionStorage.setItem(HEARD, String(number));
    window.__walletmodal.post("event", { event, properties });
  }
}

const UNREACHABLE = { ok: false, value: null, error: { code: 4900, message: "The modal's server could not be reached" } };

/** When the host has called, as it says, ms of Unix time; NaN where it says nothing. */
const calledAt = (at: unknown): number => (typeof at === "number" ? at : NaN);

/** Has the server hear of a call or a request of the host, or the host that it cannot. */
function deliver(id: string, payload: Payload, emit: () => Emit): void {
  const { at, ...asked } = payload;
  const sent = { ...asked, id, left: 0 };
  begin(
    id,
    (left) => emit()?.(Object.assign(sent, { left, waited: Date.now() - calledAt(at) })),
    () => {
      // For what is still in the socket's queue: the server carries out nothing that nobody waits for. Nor is it kept here.
      Object.assign(sent, { left: 0, params: null });
      window.__walletmodal.post("result", UNREACHABLE, id);
    },
  );
}

/** Until the server has spoken, what is emitted waits for the socket. Later it does not: what was given up would be carried out some time. */
const calling = ({ sync, onCall, onCallOnline }: Props): Emit => (sync ? onCallOnline : onCall);
const requesting = ({ sync, onRequest, onRequestOnline }: Props): Emit => (sync ? onRequestOnline : onRequest);

const waiting: ((chain: string) => void)[] = [];
let active = "";
let accounts: PublicState["accounts"] = {};

/** A host may read before the server has said which network is active. */
function whenNetworkKnown(id: string, use: (chain: string) => void): void {
  if (active) use(active);
  else if (waiting.length < MAX_WAITING) {
    begin(id, () => {}, () => window.__walletmodal.post("result", UNREACHABLE, id));
    // Nobody waits for what was given up.
    waiting.push((chain) => answered(id) && use(chain));
  } else window.__walletmodal.dropped++;
}

/** The network that a namespace's provider reads from: the active one, or where another namespace is active, its account's own. */
function networkOf(namespace: unknown, chain: string): string {
  if (chain.startsWith(`${namespace}:`)) return chain;
  const [space, reference] = accounts?.[namespace as keyof typeof accounts]?.caipAddress.split(":") ?? [];
  return reference ? `${space}:${reference}` : chain;
}

const atServer = (path: string) => new URL(path, getBackendURL(env.PING).href);

/** Brings the texts of the language that the host wants, or else the browser, and goes on with them, or without. Messages wait meanwhile. */
async function inLanguage(go: () => void): Promise<void> {
  const locales = String((init?.options as Payload | undefined)?.locale || navigator.languages);
  if (/^en\b/i.test(locales) && !location.hash) return go();
  window.__walletmodal.listen = null;
  // Where the page is still in the browser's own, the first script knows whether there is any other than English.
  const english = location.hash === `#locale=${locales}` && (await window.__walletmodal.english);
  if (!english) await showIn(locales, atServer("/v1/texts")).catch(() => {});
  go();
}

/** A read of the host's provider, answered under its envelope id. What the server says is none (4200) is a request like the others. */
async function read(id: string, payload: Payload, chain: string, request: Emit): Promise<void> {
  const { method, params, at } = payload;
  // Most visitors' hosts read nothing.
  const reads = await import("./reads").catch(() => null);
  const answer = await reads?.askServer(atServer("/v1/rpc"), { chain, method, params: params ?? [] }, calledAt(at));
  if (answer?.error?.code === 4200) request?.({ id, ...payload });
  else window.__walletmodal.post("result", answer ?? { ok: false, value: null, error: { code: -32603, message: "The server could not be reached" } }, id);
}

/** What the loader asks of a connector in the frame. Most visitors have no embedded wallet. */
function askConnector(id: string, payload: Payload): void {
  if ((payload.params as Payload | undefined)?.connector !== AUTH) pairingAsked(id, payload);
  else {
    import("$/public/external/walletmodal/components/embedded/embedded/exchange.ts").then(
      ({ secureAsked }) => secureAsked(id, payload),
      () => window.__walletmodal.post("paired", UNREACHABLE, id),
    );
  }
}

/** Tells the host what is true by now, with pictures that it can show; `again` is called once one of them has come. */
function tellState({ sync, page, place, network, accounts: held }: Told, again: () => void): void {
  accounts = held;
  active = network.caipNetworkId;
  if (active) waiting.splice(0).forEach((use) => use(active));
  // What the server knows of the page before is not true of this one: its wallet may have forgotten it meanwhile.
  if (!sync || !place.initialized || page !== init?.epoch) return;
  const shown = (picture: unknown): string => inlined(String(picture ?? ""), again);
  const faced = Object.entries(held).map(([namespace, one]) => [namespace, { ...one, profileImage: shown(one.profileImage) || null }]);
  const state = {
    ...place,
    activeChain: network.chainNamespace || null,
    selectedNetworkId: active || null,
    network: active ? { ...network, image: shown(network.image) } : null,
    accounts: Object.fromEntries(faced),
  };
  const text = JSON.stringify(state);
  if (text === lastState) return;
  lastState = text;
  window.__walletmodal.post("state", state);
}

export function WalletBridge(props: Props) {
  const { sync = "", page, hostState, commands, news, themeChanges, pairing, secure, confirming, identify } = props;
  const latest = useRef(props);
  const synced = useRef(false);
  const again = useRef(false);
  useEffect(() => {
    latest.current = props;
  });

  // The host need not wait until all is drawn, on a thread that it may share. An effect of layout: no component has subscribed before.
  const store = useContext(StateStoreContext);
  const reading = useRef(hostState);
  useLayoutEffect(() => {
    const look = (): void => tellState(reading.current!(store.getSnapshot), look);
    return watch(store, look);
  }, [store]);

  // Before the messages that wait are handled, among them the theme.
  useEffect(() => permitTheme(themeChanges), [themeChanges]);

  useEffect(() => {
    const frame = window.__walletmodal;
    const ask = ({ id, ...payload }: Payload): void => deliver(String(id), payload, () => requesting(latest.current));
    const handle = (data: unknown): void => {
      const message = data as { v?: unknown; id?: unknown; type?: unknown; payload?: unknown };
      const sound =
        message?.v === 1 &&
        typeof message.id === "string" &&
        message.payload instanceof Object &&
        JSON.stringify(message.payload).length <= MAX_MESSAGE;
      if (!sound) {
        frame.dropped++;
        return;
      }
      const { id, type, payload } = message as { id: string; type: string; payload: Payload };
      const now = latest.current;
      if (type === "init") {
        // A frame lives within one life of its page: another would cut it off from what is pending.
        if (init && payload.epoch !== init.epoch) {
          frame.dropped++;
          return;
        }
        applyTheme((payload.theme ?? {}) as Payload);
        init = { ...payload, host: known(payload.host as Payload) };
        noteMarks((payload.snapshot as Payload | undefined)?.marks);
        const told = init;
        void inLanguage(() => {
          latest.current.onInit?.(told);
          // A server that knows the page already may have nothing new to say to it.
          tellCommands(latest.current);
          listen();
        });
      } else if (type === "theme") applyTheme(payload);
      else if (type === "snapshot") {
        noteMarks(payload.marks);
        // What the first answer of the server meets has been introduced by then, unless the socket broke before.
        const introduced = !again.current && now.page === init?.epoch;
        if (introduce && init && !introduced) now.onInit?.({ ...init, snapshot: payload });
        else now.onSnapshot?.(payload);
        introduce = false;
      } else if (type === "reply") now.onReply?.(payload);
      else if (type === "call") {
        if (payload.method === "options") {
          remember((payload.params as Payload | undefined)?.options);
          void inLanguage(listen);
        }
        deliver(id, payload, () => calling(latest.current));
      }
      else if (type === "pairing") askConnector(id, payload);
      else if (type === "stored") storageAnswered(id, payload);
      else if (type !== "request") frame.dropped++;
      else if (now.overWebsocket?.includes(String(payload.method))) ask({ id, ...payload });
      else whenNetworkKnown(id, (chain) => void read(id, payload, networkOf(payload.namespace, chain), ask));
    };
    const listen = (): void => {
      frame.listen = handle;
      // One of them may have the others wait for the texts of its language.
      while (frame.listen === handle && frame.queue.length) handle(frame.queue.shift());
    };
    listen();
    return () => {
      frame.listen = null;
    };
  }, []);

  // Before the server has spoken, the properties are those of every deployment.
  useEffect(() => {
    if (sync && pairing) configurePairing(pairing);
  }, [sync, pairing]);

  useEffect(() => {
    if (sync && secure) configureSecure(secure, confirming);
  }, [sync, secure, confirming]);

  useEffect(() => fetchWhenPointedAt(), []);

  // Every (re)connect of the socket may have met an empty session: it is told everything again.
  useEffect(() => {
    if (!sync) return;
    introduce = init !== null;
    window.__walletmodal.post("sync", {});
    // What was called before the first answer of the server is in the socket's queue.
    if (synced.current) {
      again.current = true;
      repeat(latest.current.heard ?? []);
    }
    synced.current = true;
  }, [sync]);

  useEffect(() => heard(props.heard ?? []), [props.heard]);

  const [, failures] = useContext(EventLoopContext);
  useEffect(() => noteAway(failures.length > 0), [failures]);

  useEffect(() => {
    if (!identify) return;
    const tell = (ticket: string) => latest.current.onBrowser?.({ asked: identify, ticket });
    const life = new AbortController();
    import("./reads").then(({ present }) => present(atServer("/v1/browser"), tell, life.signal)).catch(() => tell(""));
    return () => life.abort();
    // Whenever the server asks anew what is true, as over another socket: what was told before may be lost, and all tries with it.
  }, [identify, sync]);

  useEffect(() => {
    if (news) tell(news);
  }, [news]);

  // After what is true by now: a host whose switch of network is settled asks at once which one it is on.
  useEffect(() => tellCommands(latest.current), [commands, sync, page]);

  return null;
}
