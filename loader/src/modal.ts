/** The modal of a page: what hosts call, put together from the frame, the wallets and the providers. */
import type { Modal, ModalEvent, Namespace, Options } from "../walletmodal";
import { bind, renderAll } from "./elements";
import { fail, INVALID_PARAMS, notify } from "./errors";
import { ask, claim, dropped, iframe, post, raise, restyle, serveFrame, settle, show, start, started } from "./frame";
import { configure, describeHost, forServer, options, theme } from "./options";
import { isRecord, type Envelope, type Unchecked } from "./protocol";
import { announce, emitChanges, ownProviders, providerOf } from "./provider";
import type { Wallets } from "./seam";
import { home, loadWallets } from "./second";
import { accountOf, activeNetwork, forget, publish, sessions, state, subscribe, tell } from "./state";
import { isRemembered, keys, read, write } from "./storage";
import { speak, t } from "./texts";

// crypto.randomUUID is missing on plain http pages; the name of a blob ends with such an id too.
const epoch = URL.createObjectURL(new Blob()).slice(-36);

let current: Modal | undefined;
let currentHref: string;

export function create(given: Options = {}): Modal {
  if (given.siwx && given.siweConfig) throw new Error("Cannot set both `siweConfig` and `siwx` options");
  const src = new URL(given.src ?? new URL(home ?? location.href).origin, location.href);
  if (!/^https?:$/.test(src.protocol)) throw fail(INVALID_PARAMS, "`src` must be an http(s) address");
  if (current && currentHref != src.href) throw fail(INVALID_PARAMS, "Has a modal from " + currentHref);
  currentHref = src.href;
  return (current ??= build(given, src));
}

function build(given: Options, src: URL): Modal {
  const death = new AbortController();
  const life = death.signal;
  const listeners = new Set<(event: ModalEvent) => void>();
  const preload = given.disableAppend ? "none" : given.preload ?? "auto";
  let wallets: Wallets | undefined;
  forServer(given);
  configure({ ...given, preload }, {});

  async function load() {
    const serve = await loadWallets(src.origin);
    if (life.aborted || wallets) return;
    wallets = serve({ epoch, life, sessions, own: ownProviders, solana: providerOf("solana")!, solanaAddress: () => account("solana").address ?? "", options: () => options, read, write, keys, post, ask, claim, settle, publish, tell, t });
  }

  /** What each message of the frame does; false: not the shape it must have. */
  const receivers: Record<string, (payload: Unchecked, id: string) => unknown> = {
    __proto__: null as never,
    state: tell,
    shown: ({ visible }) => typeof visible == "boolean" && show(visible),
    raised: ({ visible }) => raise(visible),
    event: (data) => isRecord(data.properties) && listeners.forEach((listener) => notify(listener, { timestamp: Date.now(), data })),
    result: (payload, id) => typeof payload.ok == "boolean" && settle(id, payload),
    size: ({ height }) => options.enableEmbedded && iframe && (iframe.style.height = height + "px"),
    warn: ({ level, message }) => typeof message == "string" && console[level == "error" ? "error" : "warn"]("WalletModal: " + message),
  };
  const receive = (message: Envelope) => {
    const handle = receivers[message.type];
    return handle ? handle(message.payload, message.id) !== false : wallets!.receive(message);
  };

  const call = async (method: string, params: object = {}): Promise<void> => void (await ask("call", { method, params }));
  const toast = (given: unknown, variant: string) => {
    const message = (given as Error)?.message ?? given;
    // Without one the server has a text of its own.
    return call("toast", { message: typeof message == "string" ? message : "", variant });
  };
  const session = <Answer>(method: string) => ask("call", { method, params: {} }) as Promise<Answer>;
  function setTheme(change: Options) {
    configure(change);
    restyle();
    wallets?.configured(change);
    post("theme", theme);
    publish();
  }

  const translate = () =>
    speak(src.origin, () => {
      renderAll();
      restyle();
      wallets?.configured({});
    });

  const info = () => wallets?.info(state.activeChain ?? "eip155");
  const account = (namespace?: Namespace) => {
    const known = accountOf(namespace);
    return {
      address: known?.address || undefined,
      caipAddress: known?.caipAddress || undefined,
      isConnected: known?.status == "connected",
      status: known?.status ?? "disconnected",
    };
  };
  const balance = (namespace?: Namespace) => accountOf(namespace)?.nativeBalance ?? undefined;
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
    getBalance: balance,
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
    getProvider: providerOf as Modal["getProvider"],
    getState: summary,
    subscribeState: (callback) => subscribe(summary, callback),
    subscribeAccount: (callback, namespace) => subscribe(() => account(namespace), callback),
    subscribeBalance: (callback, namespace) => subscribe(() => balance(namespace), callback),
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
      translate();
      // A frame that is not there yet gets them with `init`.
      if (started) await call("options", { options: told });
    },
    setLocale: (locale) => modal.updateOptions({ locale }),
    updateFeatures: (features) => modal.updateOptions({ features }),
    showSuccessMessage: (message) => toast(message, "success"),
    showErrorMessage: (message) => toast(message, "error"),
    signIn: () => session("signIn"),
    // Without a connection nobody is signed in, and no frame is loaded to say so.
    getSession: async () => ((options.siwx || options.siweConfig) && (started || isRemembered()) ? session("getSession") : null),
    signOut: () => session("signOut"),
    destroy() {
      if (life.aborted) return;
      death.abort();
      current = undefined;
      forget();
      configure({}, {});
      renderAll();
    },
  };

  serveFrame(src, life, {
    load,
    init: () => ({ epoch, host: describeHost(), options: forServer(options), theme, snapshot: wallets!.snapshot() }),
    greeted: () => wallets!.greeted(),
    receive,
  });
  subscribe(() => state, emitChanges);
  if (given.announceProvider) announce(epoch, life);
  if (given.standalone || preload == "eager") start();
  else if (preload == "idle" || (preload == "auto" && isRemembered())) {
    (window.requestIdleCallback ?? setTimeout)(start);
  }
  bind();
  translate();
  return modal;
}
