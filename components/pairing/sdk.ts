/**
 * The WalletConnect SDK as this page uses it: our relay, our attestation host, the host page's storage, and no other address.
 *
 * This file is what makes the SDK's chunk; nothing else imports it but by `import()`.
 */
import { Core } from "@walletconnect/core";
import { UniversalProvider } from "@walletconnect/universal-provider";
import { attest } from "./attestation";
import { PageStorage } from "./page_storage";
import type { RelayLink } from "./relay_link";
import { isHeldSession } from "./sessions";
import type { PairingConfig } from "./types";

export type Provider = Awaited<ReturnType<typeof UniversalProvider.init>>;
type GivenCore = NonNullable<Parameters<typeof UniversalProvider.init>[0]["core"]>;

const SESSIONS = /\/\/session$/;
/** A relay insists on some project; one of the deployment's own takes any. */
const ANY_PROJECT = "walletmodal";

type Relayer = Provider["client"]["core"]["relayer"];

/**
 * Follows each connection from the moment at which the SDK begins to open it.
 *
 * The SDK listens too, but not always: an error of a connection that it has given up would be nobody's, and so the page's.
 */
function followConnections(relayer: Relayer, link: RelayLink): void {
  let connection = relayer.provider;
  Object.defineProperty(relayer, "provider", {
    get: () => connection,
    set: (next: typeof connection) => {
      connection = next;
      link.follow(connection);
    },
  });
}

/** The part of the SDK that reads what a wallet has approved; its types keep it to itself. */
type Settlements = { isValidSessionSettleRequest(params: unknown): void };

/**
 * Tells when a wallet has approved with what is no session, such as accounts that are not CAIP-10.
 *
 * The SDK answers that to the wallet alone: whoever waits here would look at the code until it ends.
 */
function hearNonsense(engine: Settlements, heard: () => void): void {
  const check = engine.isValidSessionSettleRequest;
  engine.isValidSessionSettleRequest = (params) => {
    try {
      check(params);
    } catch (error) {
      heard();
      throw error;
    }
  };
}

/** What the SDK does not tell by itself: what becomes of its connections, and that a wallet's approval cannot be used. */
export type Heard = { link: RelayLink; unusable(): void };

/** Leaves only sessions of today's shape: the SDK itself believes what it finds. */
async function sift(storage: PageStorage): Promise<void> {
  for (const key of await storage.getKeys()) {
    if (!SESSIONS.test(key)) continue;
    const found = await storage.getItem(key);
    const sound = Array.isArray(found) ? found.filter(isHeldSession) : [];
    if (!Array.isArray(found) || sound.length !== found.length) await storage.setItem(key, sound);
  }
}

async function start(
  { relayUrl, projectId, verifyUrl }: PairingConfig,
  storage: PageStorage,
  heard: Heard,
): Promise<Provider> {
  const project = projectId || ANY_PROJECT;
  const core = new Core({ relayUrl, projectId: project, storage, telemetryEnabled: false, logger: "silent" });
  // It would tell a host of the SDK's maker about each start.
  core.eventClient.init = async () => undefined;
  core.verify.register = ({ id, decryptedId }) =>
    attest(verifyUrl, { id, decryptedId, projectId: project }, heard.link.opening);
  followConnections(core.relayer, heard.link);
  const provider = await UniversalProvider.init({
    // The SDK's types disagree with each other on whether what is optional may be undefined.
    core: core as GivenCore,
    projectId: project,
    relayUrl,
    storage,
    telemetryEnabled: false,
    disableProviderPing: true,
    logger: "silent",
    // Each proposal says who asks; the SDK insists on something from the beginning, and on this page's address here.
    metadata: { name: "", description: "", url: location.origin, icons: [] },
  });
  hearNonsense(provider.client.engine as unknown as Settlements, heard.unusable);
  const { session } = provider;
  // A session without its key can neither be asked nor ended.
  if (session && !core.crypto.keychain.has(session.topic)) throw new Error("The stored session has lost its key");
  return provider;
}

/** Starts the SDK on what the page has kept; what it cannot start on is dropped, and the visitor pairs anew. */
export async function openProvider(
  config: PairingConfig,
  storage: PageStorage,
  heard: Heard,
): Promise<Provider> {
  await storage.load();
  try {
    await sift(storage);
    return await start(config, storage, heard);
  } catch {
    storage.clear();
    // The failed one is kept on the window, and the SDK would take it up again.
    for (const name of Object.keys(globalThis)) if (name.startsWith("_walletConnectCore_")) Reflect.deleteProperty(globalThis, name);
    return await start(config, storage, heard);
  }
}
