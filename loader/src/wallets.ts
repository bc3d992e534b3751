/**
 * Carries out the server's wallet commands, and keeps the sessions that the wallets have granted (docs/protocol.md §3).
 *
 * It lives as long as the host page, so a frame that reloads finds its commands running or finished, never run again.
 */
import type { Found } from "./discovery";
import { asJson, fail, GONE, invalidParams, ORPHANED, plainError, REJECTED, TIMED_OUT, UNSUPPORTED, unexpected } from "./errors";
import type { Command, Namespace, Reply, Result, Session } from "./protocol";
import * as storage from "./storage";

/** How long a silent question, which shows the visitor nothing, may take, in ms. */
const SILENT = 3000;
/** The longest time that a timer can take, in ms. */
const MAX_DELAY = 2147483647;
const MAX_ACCOUNTS = 100;
const EVM = "eip155";

export type WalletsContext = {
  _epoch: string;
  _life: AbortSignal;
  _find(connector: unknown): Found | undefined;
  /** RPC endpoints that the host gave for a chain, for the wallet only. */
  _rpcUrls(caipNetworkId: string): string[];
  _reply(reply: Reply): void;
  /** Marks a host's request as being asked; false when nobody waits for it or it has been asked before. */
  _claim(request: unknown): boolean;
  _settle(request: unknown, result: Result): void;
  _changed(): void;
};

export type Wallets = {
  _sessions: Partial<Record<Namespace, Session>>;
  /** What a snapshot says besides the wallets. */
  _report(): { settled: boolean; interrupted: string | null };
  _commands(commands: Command[]): void;
  /** Asks the remembered connector without a prompt, once it is there. */
  _restore(): void;
};

/** Returns the accounts of an `eth_accounts` answer; raises when any is not 20 bytes of hex. */
export function checkAccounts(value: unknown): string[] {
  const accounts = Array.isArray(value) ? value.slice(0, MAX_ACCOUNTS).map(String) : [""];
  if (!accounts.every((item) => /^0x[\da-f]{40}$/i.test(item))) throw unexpected();
  return accounts;
}

/** Returns the CAIP-2 reference of an `eth_chainId` answer; raises when it is not a positive safe integer in hex. */
export function checkChain(value: unknown): string {
  const chain = /^0x[\da-f]+$/i.test(value as string) ? Number(value) : 0;
  if (!chain || !Number.isSafeInteger(chain)) throw unexpected();
  return String(chain);
}

/** Asks a wallet; survives one that throws at once, returns no promise, answers twice, or never. */
function ask(wallet: Found, method: string, params: unknown, timeout: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(fail(TIMED_OUT, "The wallet did not answer in time")), timeout);
    (async () => wallet._provider!.request({ method, params }))().then(resolve, reject);
  });
}

export function createWallets(context: WalletsContext): Wallets {
  const sessions: Partial<Record<Namespace, Session>> = {};
  const running = new Set<string>();
  const finished = new Map<string, Reply>();
  const asked = new Set<string>();
  const heard = new Set<string>();
  let remembered = storage.rememberedConnector(EVM);
  let settled = !remembered;
  let interrupted = storage.read(storage.INTERRUPTED);
  storage.write(storage.INTERRUPTED, null);
  setTimeout(settle, SILENT);

  function settle() {
    settled = true;
    context._changed();
  }

  function startSession(wallet: Found, accounts: string[], chain: string) {
    sessions[EVM] = { connector: wallet.id, accounts, chain };
    asked.clear();
    asked.add(wallet.id);
    storage.rememberConnection(EVM, wallet.id);
    storage.rememberNetwork(EVM + ":" + chain);
    storage.rememberWallet(wallet);
    context._changed();
  }

  const sessionOf = (connector: string) => (sessions[EVM]?.connector == connector ? sessions[EVM] : undefined);

  function endSession(connector: string) {
    if (sessionOf(connector)) delete sessions[EVM];
    context._changed();
  }

  const chainOf = async (wallet: Found) => checkChain(await ask(wallet, "eth_chainId", [], SILENT));

  /** Makes a session of what the wallet grants already; no prompt. Does nothing when there is one, or nothing is granted. */
  async function adopt(wallet: Found) {
    try {
      const accounts = checkAccounts(await ask(wallet, "eth_accounts", [], SILENT));
      const chain = await chainOf(wallet);
      if (accounts[0] && !sessions[EVM] && asked.has(wallet.id)) startSession(wallet, accounts, chain);
    } catch {
      // Then it is not connected.
    }
  }

  function listen(wallet: Found) {
    const { id, _provider: provider } = wallet;
    asked.add(id);
    if (heard.has(id)) return;
    heard.add(id);
    const on = (event: string, handle: (value: unknown) => void) => {
      const listener = (value: unknown) => {
        try {
          handle(value);
        } catch {
          // An event that makes no sense changes nothing.
        }
      };
      try {
        provider!.on?.(event, listener);
        context._life.addEventListener("abort", () => provider!.removeListener?.(event, listener));
      } catch {
        // A wallet without events still answers commands.
      }
    };
    on("accountsChanged", (value) => {
      const accounts = checkAccounts(value);
      const session = sessionOf(id);
      if (!accounts[0]) endSession(id);
      else if (session) startSession(wallet, accounts, session.chain);
      else void adopt(wallet);
    });
    on("chainChanged", (value) => {
      const session = sessionOf(id);
      if (session) startSession(wallet, session.accounts, checkChain(value));
    });
    on("connect", () => adopt(wallet));
    on("disconnect", () => endSession(id));
  }

  async function restore() {
    const wallet = context._find(remembered);
    if (!wallet) return;
    remembered = null;
    listen(wallet);
    await adopt(wallet);
    settle();
  }

  async function connect(wallet: Found, timeout: number) {
    interrupted = remembered = null;
    storage.write(storage.INTERRUPTED, wallet.id);
    listen(wallet);
    try {
      const accounts = checkAccounts(await ask(wallet, "eth_requestAccounts", [], timeout));
      const chain = await chainOf(wallet);
      if (!accounts[0]) throw unexpected();
      startSession(wallet, accounts, chain);
      return { accounts, chain };
    } catch (error) {
      // A refusal withdraws the question; after anything else the visitor may still approve.
      if (plainError(error).code == REJECTED) asked.delete(wallet.id);
      throw error;
    } finally {
      storage.write(storage.INTERRUPTED, null);
      settle();
    }
  }

  async function disconnect(namespace: Namespace, connector: string) {
    const wallet = context._find(connector);
    asked.delete(connector);
    if (remembered == connector) remembered = null;
    if (storage.rememberedConnector(namespace) == connector) storage.rememberConnection(namespace, null);
    endSession(connector);
    if (wallet) await ask(wallet, "wallet_revokePermissions", [{ eth_accounts: {} }], SILENT).catch(() => {});
    return null;
  }

  async function request(wallet: Found, method: string, params: any, timeout: number) {
    if (typeof method != "string") throw invalidParams();
    if (method == "wallet_addEthereumChain") {
      const rpcUrls = context._rpcUrls(EVM + ":" + Number(params[0].chainId));
      if (rpcUrls[0]) params = [{ ...params[0], rpcUrls }];
    }
    // Only JSON crosses the port: a wallet may answer with functions, proxies or megabytes.
    return asJson(await ask(wallet, method, params, timeout), unexpected());
  }

  async function run(command: Command, params: any): Promise<unknown> {
    const { namespace, connector } = params;
    const timeout = Math.min(params.timeout || 6e5, MAX_DELAY);
    const wallet = context._find(connector);
    if (command.method == "wallet.disconnect") return disconnect(namespace, connector);
    if (namespace != EVM || !/^wallet\.(connect|request)$/.test(command.method)) throw fail(UNSUPPORTED, "Unknown command or namespace");
    if (!wallet) throw fail(GONE, "The wallet is no longer in this page");
    return command.method == "wallet.connect" ? connect(wallet, timeout) : request(wallet, params.method, params.params, timeout);
  }

  async function execute(command: Command): Promise<Reply> {
    const { id, params } = command;
    const hostRequest = params.request;
    const settles = command.method == "host.settle";
    const result: Result = { ok: false, value: null, error: null };
    // Whoever waited may be gone with the page before: then nobody may be asked to sign in its name.
    if ((command.epoch != context._epoch && !command.replay) || (hostRequest && !settles && !context._claim(hostRequest))) {
      result.error = { code: ORPHANED, message: "orphaned" };
    } else {
      try {
        if (settles) context._settle(hostRequest, params as Result);
        else result.value = await run(command, params);
        result.ok = true;
      } catch (error) {
        result.error = plainError(error);
      }
      if (hostRequest) context._settle(hostRequest, result);
    }
    return { id, epoch: context._epoch, ...result };
  }

  return {
    _sessions: sessions,
    _report: () => ({ settled, interrupted }),
    _commands(commands) {
      for (const id of finished.keys()) if (!commands.some((command) => command.id == id)) finished.delete(id);
      for (const command of commands) {
        const { id } = command;
        const reply = finished.get(id);
        if (reply) context._reply(reply);
        else if (!running.has(id)) {
          running.add(id);
          void execute(command).then((done) => {
            running.delete(id);
            finished.set(id, done);
            context._reply(done);
          });
        }
      }
    },
    _restore: restore,
  };
}
