/** All that the browser knows, told to the frame after every change. */
import type { Namespace, PublicState, Snapshot } from "../protocol";
import { ACTIVE_NAMESPACE, ACTIVE_NETWORK } from "../storage";
import { entryOf, listWallets } from "./found";
import { ethereumOf, readMarks } from "./marks";
import { refreshElements } from "./onramp_elements";
import { page } from "./page";
import { cut, recentWallets, rememberedConnectors } from "./records";

/** Changes are gathered this long, in ms, so that a wallet that floods us cannot flood the server. */
const GATHER = 50;

/** What comes back to the page's mind on load; `sessions.ts` keeps it. */
export const coming: { _settled: boolean; _interrupted: Snapshot["storage"]["interrupted"] } = { _settled: false, _interrupted: null };

let rev = 0;
let sent = "";
let gathering: ReturnType<typeof setTimeout> | undefined;

function contents() {
  const { enableWallets, enableInjected } = page.options();
  const mayUseInjected = enableWallets !== false && enableInjected !== false;
  return {
    settled: coming._settled,
    wallets: listWallets().map(entryOf),
    sessions: page.sessions,
    marks: readMarks(mayUseInjected),
    injected: mayUseInjected && !!ethereumOf(),
    storage: {
      activeNetworkId: cut(page.read(ACTIVE_NETWORK)),
      activeNamespace: cut(page.read(ACTIVE_NAMESPACE)),
      recent: recentWallets(),
      interrupted: coming._interrupted,
      connectors: rememberedConnectors(),
    },
  };
}

/** Everything, under the next number. */
export function snapshot(): Snapshot {
  const now = contents();
  sent = JSON.stringify(now);
  return { epoch: page.epoch, rev: ++rev, ...now };
}

/** Tells what has changed since the last snapshot, at once. */
export function sendSnapshot(): void {
  clearTimeout(gathering);
  gathering = undefined;
  if (JSON.stringify(contents()) != sent) page.post("snapshot", snapshot());
}

/**
 * Tells the host whose accounts come back, before the server has looked at them: it counts until that has spoken. Which one of several the
 * visitor prefers is not known here.
 */
export function tellComing(): void {
  const accounts: Record<string, object> = {};
  for (const [namespace, session] of Object.entries(page.sessions)) {
    const [address, other] = session.accounts;
    if (address && !other) accounts[namespace] = { status: "connecting", address, caipAddress: `${namespace}:${session.chain}:${address}` };
  }
  const [first = null] = Object.keys(accounts) as Namespace[];
  const active = page.read(ACTIVE_NAMESPACE) as Namespace;
  const activeChain = accounts[active] ? active : first;
  page.tell({ open: false, loading: false, initialized: false, view: "", activeChain, selectedNetworkId: null, network: null, accounts } as PublicState);
}

/** Something that a snapshot or a subscriber may care for has changed. */
export function changed(): void {
  gathering ??= setTimeout(sendSnapshot, GATHER);
  tellComing();
  page.publish();
  refreshElements();
}
