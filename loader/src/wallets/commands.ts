/**
 * Carries out the server's commands (docs/protocol.md §3).
 *
 * It lives as long as the host page, so a frame that reloads finds its commands running or finished, never run again.
 */
import { asJson, fail, GONE, ORPHANED, plainError, unexpected, UNSUPPORTED } from "../errors";
import { isFramed, isRecord, type Command, type Reply, type Result, type Unchecked } from "../protocol";
import { findWallet } from "./found";
import { within, type Adapter } from "./line";
import { page } from "./page";
import { pair, requestPaired, unpair } from "./pairing";
import { withdrawQuestion } from "./records";
import { connect, disconnect, follow, walletOf } from "./sessions";
import { sendSnapshot } from "./snapshot";

/** The `data` of a wallet's error, if it is JSON that a message could carry. */
function dataOf(error: unknown): unknown {
  try {
    return asJson((error as Result["error"])?.data, unexpected());
  } catch {
    return undefined;
  }
}

/** When the server names no limit, in ms. */
const PATIENCE = 600_000;

/** How long a wallet may take to say which chain it is on, in ms. */
const FOLLOWING = 1000;

const running = new Set<string>();
const finished = new Map<string, Reply>();

const referenceOf = (chain: unknown) => (typeof chain == "string" ? chain.slice(chain.indexOf(":") + 1) : "");

async function run(adapters: Adapter[], command: string, params: Unchecked): Promise<unknown> {
  const { namespace, connector, timeout = PATIENCE, ...rest } = params;
  const { chain, method } = rest;
  // Only JSON crosses the port: a wallet may answer with functions, proxies or megabytes.
  const answer = async (work: () => unknown) => asJson(await within(timeout, work), unexpected());
  const paired = isFramed(connector);
  if (command == "wallet.disconnect") {
    await (paired ? unpair(connector) : disconnect(namespace, connector));
    return null;
  }
  if (paired && command == "wallet.connect") return pair(adapters, connector, rest, timeout);
  if (paired && command == "wallet.request") return answer(() => requestPaired(connector, namespace, { chain, method, params: rest.params, hint: rest.hint }));
  if (!findWallet(connector)) throw fail(GONE, "No such wallet");
  const wallet = walletOf(namespace, connector);
  if (wallet && command == "wallet.connect") return connect(wallet, referenceOf(chain), timeout);
  if (wallet && command == "wallet.request") {
    const value = await answer(() => wallet._line._request(method, rest.params, referenceOf(chain)));
    // Not every wallet tells that its chain has changed. What was asked for just that is done only when it is known here.
    const followed = within(FOLLOWING, () => follow(wallet)).catch(() => {});
    if (/^wallet_(add|switch)EthereumChain$/.test(method)) await followed;
    return value;
  }
  throw fail(UNSUPPORTED, "Unknown command");
}

async function execute(adapters: Adapter[], command: Command): Promise<Reply> {
  const { id, params } = command;
  const hostRequest = params.request;
  const settles = command.method == "host.settle";
  const result: Result = { ok: false, value: null, error: null };
  let data: unknown;
  // Whoever waited may be gone with the page before: then nobody may be asked to sign in its name.
  if ((command.epoch != page.epoch && !command.replay) || (hostRequest && !settles && !page.claim(hostRequest))) {
    result.error = { code: ORPHANED, message: "orphaned" };
  } else {
    try {
      if (settles) page.settle(hostRequest, params as Result);
      else result.value = await run(adapters, command.method, params);
      result.ok = true;
    } catch (error) {
      result.error = plainError(error);
      data = dataOf(error);
    }
    // The host learns why a contract would refuse; the server has no use for it.
    if (hostRequest) page.settle(hostRequest, { ...result, error: result.error && { ...result.error, data } });
  }
  return { id, epoch: page.epoch, ...result };
}

function reply(answer: Reply) {
  // The session first: a server that acts on the reply finds it known.
  sendSnapshot();
  page.post("reply", answer);
}

/**
 * Takes the whole list of what the server wants: runs what is new, repeats what is done, forgets what is listed no more.
 * False when it is no such list.
 */
export function runCommands(adapters: Adapter[], { commands }: Record<string, unknown>): boolean {
  if (!Array.isArray(commands) || !commands.every((command) => isRecord(command) && isRecord(command.params))) return false;
  const listed = commands.map((command) => command.id);
  if (!commands.some(({ method }) => method == "wallet.connect")) withdrawQuestion();
  for (const id of finished.keys()) if (!listed.includes(id)) finished.delete(id);
  for (const command of commands as Command[]) {
    const { id } = command;
    const done = finished.get(id);
    if (done) reply(done);
    else if (!running.has(id)) {
      running.add(id);
      void execute(adapters, command).then((result) => {
        running.delete(id);
        finished.set(id, result);
        reply(result);
      });
    }
  }
  return true;
}
