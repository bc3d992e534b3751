/** The modal of a page: what hosts call, put together from the frame, the wallets and the provider. */
import type { Modal, ModalEvent, Namespace, Options } from "../walletmodal";
import { discover, entryOf, findWallet } from "./discovery";
import { bind, renderAll } from "./elements";
import { fail, INVALID_PARAMS, notify, UNSUPPORTED } from "./errors";
import { ask, dropped, iframe, post, restyle, serveFrame, settle, show, start, started } from "./frame";
import { configure, describeHost, forServer, options, theme } from "./options";
import { isRecord, type Command, type Envelope } from "./protocol";
import { announce, emitChanges, provider } from "./provider";
import { accountOf, activeNetwork, forget, publish, sessions, state, subscribe, tell } from "./state";
import { changed, epoch, remembered, restore, runCommands, snapshot, startWallets } from "./wallets";

const script = document.currentScript as HTMLScriptElement | null;
let current: Modal | undefined;
let currentHref: string;

export function create(given: Options = {}): Modal {
  if (given.siwx && given.siweConfig) throw new Error("Cannot set both `siweConfig` and `siwx` options");
  const src = new URL(given.src ?? new URL(script?.src || location.href).origin, location.href);
  if (current && currentHref != src.href) throw fail(INVALID_PARAMS, "Has a modal from " + currentHref);
  currentHref = src.href;
  return (current ??= build(given, src));
}

function build(given: Options, src: URL): Modal {
  const death = new AbortController();
  const life = death.signal;
  const listeners = new Set<(event: ModalEvent) => void>();
  const preload = given.disableAppend ? "none" : given.preload ?? "auto";
  forServer(given);
  configure({ ...given, preload }, {});

  /** What each message of the frame does; false: not the shape it must have. */
  const receivers: Record<string, (payload: any, id: string) => unknown> = {
    __proto__: null as never,
    commands: ({ commands }) => commands.every(({ params }: Command) => isRecord(params)) && runCommands(commands),
    sync: () => post("snapshot", snapshot()),
    state: tell,
    shown: ({ visible }) => typeof visible == "boolean" && show(visible),
    event: (data) => isRecord(data.properties) && listeners.forEach((listener) => notify(listener, { timestamp: Date.now(), data })),
    result: (payload, id) => typeof payload.ok == "boolean" && settle(id, payload),
    size: ({ height }) => options.enableEmbedded && iframe && (iframe.style.height = height + "px"),
    warn: ({ level, message }) => typeof message == "string" && console[level == "error" ? "error" : "warn"]("WalletModal: " + message),
  };
  const receive = ({ id, type, payload }: Envelope) => !!receivers[type] && receivers[type](payload, id) !== false;

  const call = async (method: string, params: object = {}): Promise<void> => void (await ask("call", { method, params }));
  const toast = (message: unknown, variant: string) => call("toast", { message: String((message as Error)?.message ?? message), variant });
  const signIn = async (): Promise<never> => {
    throw fail(UNSUPPORTED, "View not available");
  };
  function setTheme(change: Options) {
    configure(change);
    restyle();
    post("theme", theme);
    publish();
  }

  const info = () => {
    const wallet = findWallet(sessions[state.activeChain!]?.connector);
    return wallet && entryOf(wallet);
  };
  const account = (namespace?: Namespace) => {
    const known = accountOf(namespace);
    return {
      address: known?.address || undefined,
      caipAddress: known?.caipAddress || undefined,
      isConnected: known?.status == "connected",
      status: known?.status ?? "disconnected",
    };
  };
  const summary = () => {
    const { accounts, network, ...rest } = state;
    return rest;
  };
  const themeState = () => ({ themeMode: theme.mode, themeVariables: theme.variables });

  const modal: Modal = {
    get dropped() {
      return dropped;
    },
    open: (request) => call("open", request),
    close: async () => (started ? call("close") : undefined),
    isOpen: () => state.open,
    getAddress: (namespace) => account(namespace).address,
    getCaipAddress: (namespace) => account(namespace).caipAddress,
    getAccount: account,
    getIsConnectedState: () => account().isConnected,
    getWalletInfo: info,
    disconnect: (namespace) => call("disconnect", { namespace }),
    getChainId: () => activeNetwork().chainId,
    getCaipNetwork: () => activeNetwork().caipNetwork,
    getCaipNetworkId: () => activeNetwork().caipNetworkId,
    getActiveChainNamespace: () => state.activeChain ?? undefined,
    switchNetwork: (caipNetworkId) => call("switchNetwork", { caipNetworkId }),
    addNetwork: (chainNamespace, network) => call("addNetwork", { network: { chainNamespace, ...network } }),
    removeNetwork: (namespace, id) => call("removeNetwork", { caipNetworkId: namespace + ":" + id }),
    getProvider: ((namespace: Namespace) => (namespace == "eip155" ? provider : undefined)) as Modal["getProvider"],
    getState: summary,
    subscribeState: (callback) => subscribe(summary, callback),
    subscribeAccount: (callback, namespace) => subscribe(() => account(namespace), callback),
    subscribeNetwork: (callback) => subscribe(activeNetwork, callback),
    subscribeEvents(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    subscribeTheme: (callback) => subscribe(themeState, callback),
    subscribeWalletInfo: (callback) => subscribe(info, callback),
    getThemeMode: () => theme.mode,
    setThemeMode: (themeMode) => setTheme({ themeMode: themeMode as "dark" }),
    setThemeVariables: (themeVariables) => setTheme({ themeVariables }),
    async updateOptions(change) {
      const told = forServer(change);
      setTheme(change);
      // A frame that is not there yet gets them with `init`.
      if (started) await call("options", { options: told });
    },
    updateFeatures: (features) => modal.updateOptions({ features }),
    showSuccessMessage: (message) => toast(message, "success"),
    showErrorMessage: (message) => toast(message, "error"),
    signIn,
    getSession: async () => null,
    signOut: signIn,
    destroy() {
      if (life.aborted) return;
      death.abort();
      current = undefined;
      forget();
      configure({}, {});
      renderAll();
    },
  };

  startWallets(life);
  serveFrame(src, life, () => ({ epoch, host: describeHost(), options: forServer(options), theme, snapshot: snapshot() }), receive);
  subscribe(() => state, emitChanges);
  if (given.announceProvider) announce(epoch, life);
  if (given.standalone || preload == "eager") start();
  else if (preload == "idle" || (preload == "auto" && remembered)) {
    (window.requestIdleCallback ?? setTimeout)(start);
  }
  // Only now: a wallet that is there already is asked at once, and no longer counts as remembered.
  discover(given, life, () => {
    void restore();
    changed();
  });
  bind();
  return modal;
}
