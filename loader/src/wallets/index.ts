/** The second script: finds the wallets of the page, and asks them for the server. */
import { AUTH, isFramed, type Envelope, type Unchecked } from "../protocol";
import type { SecondScript, Serve } from "../seam";
import { ADAPTERS } from "./adapters";
import { runCommands } from "./commands";
import { discover, offerConnectors } from "./discovery";
import { entryOf, findWallet, onFound } from "./found";
import { dropReturn, openLink } from "./link";
import { drawElements, refreshElements } from "./onramp_elements";
import { lend, page } from "./page";
import { answered, onSessions, recallLogin, recallPairing } from "./pairing";
import { lendSolana } from "./solana_provider";
import { forgetConnections } from "./records";
import { endedElsewhere, recallSessions, restoreFound } from "./sessions";
import { changed, coming, snapshot, tellComing } from "./snapshot";
import { serveStore } from "./store";
import { hearEnded } from "./tabs";
import { checkTheme } from "./theme_bounds";

/** What each message of the frame does; false: not the shape it must have. */
const receivers: Record<string, (payload: Unchecked, id: string) => unknown> = {
  __proto__: null as never,
  commands: (payload) => runCommands(ADAPTERS, payload),
  sync: () => page.post("snapshot", snapshot()),
  paired: (payload, id) => typeof payload.ok == "boolean" && answered(id, payload),
  // A wallet that tells of itself again and again waits as the others do.
  sessions: (payload) => onSessions(ADAPTERS, payload) && (payload.now !== true || receivers.sync!(payload, "")),
  store: (payload, id) => serveStore(id, payload),
  link: openLink,
};

const serve: Serve = (given) => {
  lend(given);
  lendSolana();
  if (page.options().enableReconnect === false) forgetConnections();
  recallSessions(ADAPTERS);
  recallLogin(ADAPTERS);
  tellComing();
  checkTheme(page.options());
  drawElements();
  hearEnded(endedElsewhere);
  onFound(() => {
    restoreFound();
    changed();
  });
  discover(ADAPTERS);
  // Wallets that an earlier modal of this page has found are found already.
  restoreFound();
  return {
    snapshot,
    greeted() {
      if (coming._interrupted?.connector == AUTH) dropReturn();
      recallPairing(ADAPTERS);
    },
    receive: ({ type, payload, id }: Envelope) => !!receivers[type] && receivers[type](payload, id) !== false,
    configured(change) {
      offerConnectors(ADAPTERS, change);
      checkTheme(change);
      refreshElements();
    },
    info(namespace) {
      const session = page.sessions[namespace];
      const found = findWallet(session?.connector);
      if (!session || !isFramed(session.connector)) return found && entryOf(found);
      const { connector: id, peer } = session;
      const namespaces = Object.entries(page.sessions).flatMap(([name, { connector }]) => (connector == id ? [name as typeof namespace] : []));
      return { id, name: peer?.name ?? "", icon: peer?.icon ?? "", rdns: "", namespaces, type: id == AUTH ? "AUTH" : "WALLET_CONNECT" };
    },
  };
};

(document.currentScript as SecondScript | null)?.takeWallets2?.(serve);
