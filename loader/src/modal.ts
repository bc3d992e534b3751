/** The modal of a page: what hosts call, put together from the frame, the wallets and the provider. */
import type { Modal, Namespace, Options, Unsubscribe } from "../walletmodal";
import { discover } from "./discovery";
import { attach, detach, type Controls } from "./elements";
import { fail, notify, UNSUPPORTED } from "./errors";
import { createFrame } from "./frame";
import { forServer, hostOf, rpcUrls, sourceOf, themeOf } from "./options";
import { isRecord, type Command, type Envelope, type PublicState, type Snapshot } from "./protocol";
import { announce, createProvider } from "./provider";
import { accountOf, isPublicState, knownState, networkId, NOTHING, type KnownState } from "./state";
import * as storage from "./storage";
import { createWallets } from "./wallets";

/** Changes are gathered this long, in ms, so that a wallet that floods us cannot flood the server. */
const GATHER = 50;

const modals = new Map<string, Modal>();
const script = (document.currentScript as HTMLScriptElement | null)?.src ?? "";

type Subscription = { _select(): unknown; _callback(value: never): void; _last: string };

export function create(options: Options = {}): Modal {
  if (options.siwx && options.siweConfig) throw new Error("Cannot set both `siweConfig` and `siwx` options");
  const src = sourceOf(options, script);
  return modals.get(src.href) ?? build(options, src);
}

function build(options: Options, src: URL): Modal {
  options = { ...options };
  const death = new AbortController();
  const life = death.signal;
  // crypto.randomUUID is missing on plain http pages; the name of a blob ends with such an id too.
  const epoch = URL.createObjectURL(new Blob()).slice(-36);
  const { enableEmbedded: embedded, disableAppend, preload = "auto", standalone } = options;
  const subscriptions = new Set<Subscription>();
  const listeners = new Set<(event: never) => void>();
  let theme = themeOf(options, { mode: null, variables: {} });
  let told: KnownState = NOTHING;
  let rev = 0;
  let sent = "";
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let opened = false;

  const state = () => knownState(told, wallets._sessions, storage.read(storage.ACTIVE_NETWORK));

  const frame = createFrame({
    _src: src,
    _life: life,
    _standalone: !!standalone,
    _embedded: !!embedded,
    _parent: () =>
      ((embedded || disableAppend) && document.querySelector("wallet-modal-embed")) ||
      (embedded || (disableAppend && !opened) ? null : document.body),
    _zIndex: () => theme.variables["--w3m-z-index"] ?? "999",
    _init: () => ({ epoch, host: hostOf(options), options: forServer(options), theme, snapshot: snapshot() }),
    _receive: receive,
  });

  const wallets = createWallets({
    _epoch: epoch,
    _life: life,
    _find: (connector) => discovery._find(connector),
    _rpcUrls: (caipNetworkId) => rpcUrls(options, caipNetworkId),
    _reply(reply) {
      // The session first: a server that acts on the reply finds it known.
      sendSnapshot();
      frame._post("reply", reply);
    },
    _claim: frame._claim,
    _settle: frame._settle,
    _changed: changed,
  });

  const { _provider: provider, _changed: providerChanged } = createProvider({
    _address: () => accountOf(state(), "eip155")?.address ?? "",
    _chain: () => Number(/^eip155:(\d+)$/.exec(networkId(state())!)?.[1] ?? 0),
    _request: (method, params) => frame._ask("request", { namespace: "eip155", method, params } as { method: string }),
  });

  const discovery = discover(options, life, () => {
    void wallets._restore();
    changed();
  });

  function contents() {
    const { settled, interrupted } = wallets._report();
    return {
      settled,
      wallets: discovery._list().map(({ _provider, ...entry }) => entry),
      sessions: wallets._sessions,
      storage: {
        activeNetworkId: storage.read(storage.ACTIVE_NETWORK),
        activeNamespace: storage.read(storage.ACTIVE_NAMESPACE),
        recent: storage.recentWallets(),
        interrupted,
      },
    };
  }

  function snapshot(): Snapshot {
    const now = contents();
    sent = JSON.stringify(now);
    return { epoch, rev: ++rev, ...now };
  }

  function sendSnapshot() {
    clearTimeout(gathering);
    gathering = undefined;
    if (JSON.stringify(contents()) != sent) frame._post("snapshot", snapshot());
  }

  function changed() {
    gathering ??= setTimeout(sendSnapshot, GATHER);
    publish();
  }

  /** Tells subscribers whose value has changed. */
  function publish() {
    for (const subscription of subscriptions) {
      const value = subscription._select();
      const text = JSON.stringify(value);
      if (text == subscription._last) continue;
      subscription._last = text;
      notify(subscription._callback, value as never);
    }
    providerChanged();
  }

  function subscribe(select: () => unknown, callback: (value: never) => void): Unsubscribe {
    const subscription = { _select: select, _callback: callback, _last: JSON.stringify(select()) };
    subscriptions.add(subscription);
    return () => subscriptions.delete(subscription);
  }

  /** What each message of the frame does; false: not the shape it must have. */
  const receivers: Record<string, (payload: any) => unknown> = {
    commands: ({ commands }) => Array.isArray(commands) && commands.every(isCommand) && wallets._commands(commands),
    sync: () => frame._post("snapshot", snapshot()),
    state(payload) {
      if (!isPublicState(payload)) return false;
      told = payload as PublicState;
      if (told.initialized && told.selectedNetworkId) storage.rememberNetwork(told.selectedNetworkId);
      publish();
    },
    shown: ({ visible }) => typeof visible == "boolean" && frame._show(visible),
    event: (data) => isRecord(data.properties) && listeners.forEach((listener) => notify(listener, { timestamp: Date.now(), data })),
    warn: ({ message }) => typeof message == "string" && console.warn("WalletModal: " + message),
  };

  function receive({ type, payload }: Envelope): boolean {
    return Object.hasOwn(receivers, type) && receivers[type]!(payload) !== false;
  }

  const call = async (method: string, params: object = {}): Promise<void> =>
    void (await frame._ask("call", { method, params } as { method: string }));
  const toast = (message: unknown, variant: string) => call("toast", { message: String((message as Error)?.message ?? message), variant });
  const signIn = async (): Promise<never> => {
    throw fail(UNSUPPORTED, "View not available: sign-in");
  };

  function setTheme(change: Options) {
    theme = themeOf(change, theme);
    frame._post("theme", theme);
    publish();
  }

  const info = () => {
    const wallet = discovery._find(wallets._sessions[state().activeChain!]?.connector);
    if (!wallet) return undefined;
    const { id, name, icon, rdns, type } = wallet;
    return { id, name, icon, rdns, type };
  };
  const account = (namespace?: Namespace) => {
    const { accounts, activeChain } = state();
    const { address, caipAddress } = accountOf(state(), namespace) ?? {};
    return {
      address,
      caipAddress,
      isConnected: !!address,
      status: accounts[namespace || activeChain || "eip155"]?.status ?? "disconnected",
      allAccounts: (wallets._sessions.eip155?.accounts ?? []).map((address) => ({ namespace: "eip155" as const, address })),
    };
  };
  const network = () => {
    const caipNetworkId = networkId(state());
    const [namespace, reference] = (caipNetworkId ?? "").split(":");
    return { caipNetwork: state().network ?? undefined, caipNetworkId, chainId: namespace == "eip155" ? Number(reference) : reference };
  };
  const summary = () => {
    const { open, loading, initialized, activeChain, selectedNetworkId } = state();
    return { open, loading, initialized, activeChain, selectedNetworkId };
  };
  const themeState = () => ({ themeMode: theme.mode, themeVariables: theme.variables });

  const modal: Modal = {
    get dropped() {
      return frame._dropped();
    },
    open(request = {}) {
      opened = true;
      return call("open", request);
    },
    close: async () => (frame._isStarted() ? call("close") : undefined),
    isOpen: () => state().open,
    getAddress: (namespace) => account(namespace).address,
    getCaipAddress: (namespace) => account(namespace).caipAddress,
    getAccount: account,
    getIsConnectedState: () => account().isConnected,
    getWalletInfo: info,
    disconnect: (namespace) => call("disconnect", { namespace }),
    getChainId: () => network().chainId,
    getCaipNetwork: () => network().caipNetwork,
    getCaipNetworkId: () => network().caipNetworkId,
    getActiveChainNamespace: () => state().activeChain ?? undefined,
    switchNetwork: (target) => call("switchNetwork", { caipNetworkId: typeof target == "string" ? target : target.caipNetworkId }),
    addNetwork: (chainNamespace, network) => call("addNetwork", { network: { chainNamespace, ...network } }),
    removeNetwork: (namespace, id) => call("removeNetwork", { caipNetworkId: /:/.test(id as string) ? id : namespace + ":" + id }),
    getProvider: ((namespace: Namespace) => (namespace == "eip155" ? provider : undefined)) as Modal["getProvider"],
    getState: summary,
    subscribeState: (callback) => subscribe(summary, callback),
    subscribeAccount: (callback, namespace) => subscribe(() => account(namespace), callback),
    subscribeNetwork: (callback) => subscribe(network, callback),
    subscribeEvents(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    subscribeTheme: (callback) => subscribe(themeState, callback),
    subscribeWalletInfo: (callback) => subscribe(info, callback),
    getThemeMode: () => theme.mode,
    getThemeVariables: () => ({ ...theme.variables }),
    setThemeMode: (themeMode) => setTheme({ themeMode: themeMode as "dark" }),
    setThemeVariables: (themeVariables) => setTheme({ themeVariables }),
    async updateOptions(change) {
      Object.assign(options, change, { features: { ...options.features, ...change.features } });
      setTheme(change);
      // A frame that is not there yet gets them with `init`.
      if (frame._isStarted()) await call("options", { options: forServer(change) });
    },
    updateFeatures: (features) => modal.updateOptions({ features }),
    showSuccessMessage: (message) => toast(message, "success"),
    showErrorMessage: (message) => toast(message, "error"),
    signIn,
    getSession: async () => null,
    signOut: signIn,
    destroy() {
      death.abort();
      modals.delete(src.href);
      detach(controls);
      subscriptions.clear();
      listeners.clear();
    },
  };

  const controls: Controls = {
    _modal: modal,
    _state: state,
    _theme: () => theme,
    _allowUnsupported: () => options.allowUnsupportedChain,
    /** One of our elements was reached by pointer or focus. */
    _reached: () => preload == "auto" && frame._start(),
    /** An embed element was placed. */
    _placed() {
      if (embedded || disableAppend) frame._start();
    },
    _subscribe: (callback) => subscribe(() => [state(), theme], callback),
  };

  modals.set(src.href, modal);
  if (options.announceProvider) announce(provider, epoch, life);
  // Called from the head, there is no body yet to put the frame into.
  addEventListener("DOMContentLoaded", frame._mount, { signal: life });
  if (standalone || preload == "eager") frame._start();
  else if (preload == "idle" || (preload == "auto" && storage.rememberedConnector("eip155"))) {
    (window.requestIdleCallback ?? setTimeout)(() => life.aborted || frame._start());
  }
  attach(controls);
  return modal;
}

const isCommand = (value: unknown): value is Command =>
  isRecord(value) && [value.id, value.epoch, value.method].every((text) => typeof text == "string") && isRecord(value.params);
