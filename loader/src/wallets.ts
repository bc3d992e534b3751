/**
 * Carries out the server's wallet commands, and keeps the sessions that the wallets have granted (docs/protocol.md §3).
 *
 * It lives as long as the host page, so a frame that reloads finds its commands running or finished, never run again.
 */
import { entryOf, findWallet, listWallets, type Found } from "./discovery";
import { asJson, fail, GONE, ORPHANED, plainError, quietly, REJECTED, TIMED_OUT, UNSUPPORTED, unexpected } from "./errors";
import { claim, post, settle as answerHost } from "./frame";
import { options } from "./options";
import type { Command, Namespace, Reply, Result, Snapshot } from "./protocol";
import { publish, sessions } from "./state";
import * as storage from "./storage";

/** Changes are gathered this long, in ms, so that a wallet that floods us cannot flood the server. */
const GATHER = 50;

/** How long a silent question, which shows the visitor nothing, may take, in ms. */
const SILENT = 3000;
/** As many as the server takes. */
const MAX_ACCOUNTS = 50;
const EVM = "eip155";

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
    setTimeout(() => reject(fail(TIMED_OUT, "No answer in time")), timeout);
    (async () => wallet._provider!.request({ method, params }))().then(resolve, reject);
  });
}

// crypto.randomUUID is missing on plain http pages; the name of a blob ends with such an id too.
export const epoch = URL.createObjectURL(new Blob()).slice(-36);

const running = new Set<string>();
const finished = new Map<string, Reply>();
const asked = new Set<string>();
const heard = new Set<string>();
let life: AbortSignal;
export let remembered: string | null;
/** The connector that was being asked when the page went away. */
let interrupted: string | null;
let settled: boolean;
let rev = 0;
let sent = "";
let gathering: ReturnType<typeof setTimeout> | undefined;

/** Begins to serve commands, and to wait for the connector that is remembered. */
export function startWallets(signal: AbortSignal): void {
  life = signal;
  interrupted = storage.read(storage.INTERRUPTED);
  // A wallet that was being asked may have agreed while the page was away.
  remembered = sessions[EVM] ? null : storage.rememberedConnector(EVM) || interrupted;
  settled = !remembered;
  storage.write(storage.INTERRUPTED, null);
  heard.clear();
  setTimeout(settle, SILENT);
}

function contents() {
  return {
    settled,
    wallets: listWallets().map(entryOf),
    sessions,
    storage: {
      activeNetworkId: storage.read(storage.ACTIVE_NETWORK),
      activeNamespace: storage.read(storage.ACTIVE_NAMESPACE),
      recent: storage.recentWallets(),
      interrupted,
    },
  };
}

/** All that the browser knows, under the next number. */
export function snapshot(): Snapshot {
  sent = JSON.stringify(contents());
  return { epoch, rev: ++rev, ...contents() };
}

function sendSnapshot() {
  clearTimeout(gathering);
  gathering = undefined;
  if (JSON.stringify(contents()) != sent) post("snapshot", snapshot());
}

/** Something that a snapshot or a subscriber may care for has changed. */
export function changed(): void {
  gathering ??= setTimeout(sendSnapshot, GATHER);
  publish();
}

function settle() {
  settled = true;
  changed();
}

function startSession(wallet: Found, accounts: string[], chain: string) {
  sessions[EVM] = { connector: wallet.id, accounts, chain };
  asked.clear();
  asked.add(wallet.id);
  storage.rememberConnection(EVM, wallet.id, Object.keys(sessions));
  storage.rememberWallet(wallet);
  changed();
}

function endSession(connector: string) {
  if (sessions[EVM]?.connector == connector) delete sessions[EVM];
  changed();
}

const chainOf = async (wallet: Found) => checkChain(await ask(wallet, "eth_chainId", [], SILENT));

/** Follows what the wallet grants now, without a prompt: its session, or a new one if it was asked and there is none. */
async function follow(wallet: Found) {
  try {
    const accounts = checkAccounts(await ask(wallet, "eth_accounts", [], SILENT));
    const chain = await chainOf(wallet);
    if (!accounts[0]) endSession(wallet.id);
    else if (sessions[EVM] ? sessions[EVM].connector == wallet.id : asked.has(wallet.id)) startSession(wallet, accounts, chain);
  } catch {
    // Nonsense changes nothing.
  }
}

function listen(wallet: Found) {
  const { id, _provider: provider } = wallet;
  let timer: ReturnType<typeof setTimeout>;
  // Events only say that something has changed; the wallet is asked what, once for all that come together.
  const hear = () => {
    clearTimeout(timer);
    timer = setTimeout(follow, 5, wallet);
  };
  const on = (event: string, listener: () => void) => {
    provider!.on?.(event, listener);
    life.addEventListener("abort", () => provider!.removeListener?.(event, listener));
  };
  asked.add(id);
  if (heard.has(id)) return;
  heard.add(id);
  // A wallet without events still answers commands.
  quietly(() => {
    ["accountsChanged", "chainChanged", "connect"].forEach((event) => on(event, hear));
    on("disconnect", () => endSession(id));
  })(0);
}

/** Asks the remembered connector without a prompt, once it is there. */
export async function restore(): Promise<void> {
  const wallet = findWallet(remembered);
  if (!wallet) return;
  remembered = null;
  listen(wallet);
  await follow(wallet);
  settle();
}

async function connect(wallet: Found, timeout: number) {
  interrupted = remembered = null;
  storage.write(storage.INTERRUPTED, wallet.id);
  listen(wallet);
  try {
    const accounts = checkAccounts(await ask(wallet, "eth_requestAccounts", [], timeout));
    const chain = await chainOf(wallet);
    // Meanwhile another wallet may have been connected, or this one disconnected.
    if (!accounts[0] || !asked.has(wallet.id)) throw unexpected();
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
  const wallet = findWallet(connector);
  asked.delete(connector);
  if (remembered == connector) remembered = null;
  endSession(connector);
  if (storage.rememberedConnector(namespace) == connector) storage.rememberConnection(namespace, null, Object.keys(sessions));
  if (wallet) await ask(wallet, "wallet_revokePermissions", [{ eth_accounts: {} }], SILENT).catch(() => {});
  return null;
}

async function request(wallet: Found, method: string, params: any, timeout: number) {
  if (method == "wallet_addEthereumChain") {
    // The host's own endpoints are for the wallet; the server never sees them.
    const urls = options.customRpcUrls?.[EVM + ":" + Number(params[0].chainId)];
    if (urls) params = [{ ...params[0], rpcUrls: urls.map((entry) => (typeof entry == "string" ? entry : entry.url)) }];
  }
  const answer = await ask(wallet, method, params, timeout);
  // Not every wallet tells that its chain has changed.
  void follow(wallet);
  // Only JSON crosses the port: a wallet may answer with functions, proxies or megabytes.
  return asJson(answer, unexpected());
}

async function run(command: string, { namespace, connector, method, params, timeout = 6e5 }: any): Promise<unknown> {
  const wallet = findWallet(connector);
  if (command == "wallet.disconnect") return disconnect(namespace, connector);
  if (!wallet) throw fail(GONE, "No such wallet");
  if (namespace == EVM && command == "wallet.connect") return connect(wallet, timeout);
  if (namespace == EVM && command == "wallet.request") return request(wallet, method, params, timeout);
  throw fail(UNSUPPORTED, "Unknown command");
}

async function execute(command: Command): Promise<Reply> {
  const { id, params } = command;
  const hostRequest = params.request;
  const settles = command.method == "host.settle";
  const result: Result = { ok: false, value: null, error: null };
  // Whoever waited may be gone with the page before: then nobody may be asked to sign in its name.
  if ((command.epoch != epoch && !command.replay) || (hostRequest && !settles && !claim(hostRequest))) {
    result.error = { code: ORPHANED, message: "orphaned" };
  } else {
    try {
      if (settles) answerHost(hostRequest, params as Result);
      else result.value = await run(command.method, params);
      result.ok = true;
    } catch (error) {
      result.error = plainError(error);
    }
    if (hostRequest) answerHost(hostRequest, result);
  }
  return { id, epoch: epoch, ...result };
}

function reply(answer: Reply) {
  // The session first: a server that acts on the reply finds it known.
  sendSnapshot();
  post("reply", answer);
}

/** Takes the whole list of what the server wants: runs what is new, repeats what is done, forgets what is listed no more. */
export function runCommands(commands: Command[]): void {
  const listed = commands.map((command) => command.id);
  for (const id of finished.keys()) if (!listed.includes(id)) finished.delete(id);
  for (const command of commands) {
    const { id } = command;
    const done = finished.get(id);
    if (done) reply(done);
    else if (!running.has(id)) {
      running.add(id);
      void execute(command).then((result) => {
        running.delete(id);
        finished.set(id, result);
        reply(result);
      });
    }
  }
}
