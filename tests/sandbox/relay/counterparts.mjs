// The real SDKs in one process, driven by lines of JSON: `{id, call, params}` in, `{id, value}` or `{id, error}` out.
// Applications (universal-provider) and wallets (WalletKit) go by names that the test gives them.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

// Two clients in one process; and no calls to the attestation and statistics services, which are not what is tested.
Object.assign(process.env, { DISABLE_GLOBAL_CORE: "true", IS_VITEST: "true" });

const require = createRequire(new URL("../../../sandbox/package.json", import.meta.url));
const { UniversalProvider } = require("@walletconnect/universal-provider");
const { Core } = require("@walletconnect/core");
const { WalletKit } = require("@reown/walletkit");
const { getSdkError } = require("@walletconnect/utils");

const storages = new Map();
const apps = new Map();
const wallets = new Map();

/** A client's memory; the same name finds it again, as after a reload. */
function storage(name) {
  const kept = storages.get(name) ?? new Map();
  storages.set(name, kept);
  return {
    getKeys: async () => [...kept.keys()],
    getEntries: async () => [...kept.entries()],
    getItem: async (key) => kept.get(key),
    setItem: async (key, value) => void kept.set(key, value),
    removeItem: async (key) => void kept.delete(key),
  };
}

const options = (name, relayUrl) => ({
  projectId: "test",
  relayUrl,
  storage: storage(name),
  customStoragePrefix: name,
  telemetryEnabled: false,
  logger: "silent",
  metadata: { name, description: name, url: "http://localhost:3000", icons: [] },
});

/** What has happened, in its order, handed out one by one. */
class Inbox {
  #items = [];
  #waiting = [];

  put(item) {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(item);
    else this.#items.push(item);
  }

  next() {
    return this.#items.length > 0 ? this.#items.shift() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}

const CALLS = {
  async app({ name, relay }) {
    const provider = await UniversalProvider.init({ ...options(name, relay), disableProviderPing: true });
    const inbox = new Inbox();
    for (const event of ["session_event", "session_update", "session_delete"]) {
      provider.on(event, (payload) => inbox.put({ event, data: payload.params ?? null }));
    }
    const failures = new Inbox();
    provider.client.core.relayer.on("relayer_error", (error) => failures.put(error.message));
    apps.set(name, { provider, inbox, failures });
    return provider.session ?? null;
  },
  /** The pairing link; how it ends is asked for with `connected`. */
  async connect({ name, namespaces }) {
    const app = apps.get(name);
    const uri = new Promise((resolve) => app.provider.once("display_uri", resolve));
    app.outcome = app.provider.connect({ optionalNamespaces: namespaces }).then(
      (session) => ({ session }),
      (error) => ({ error: error.message ?? String(error) }),
    );
    return Promise.race([uri, app.outcome.then(({ error }) => Promise.reject(new Error(error)))]);
  },
  /** The same, with a message that is to be signed while connecting; a wallet that signs gives `auths` besides. */
  async authenticate({ name, params }) {
    const app = apps.get(name);
    const { uri, response } = await app.provider.client.authenticate(params);
    app.outcome = response().then(
      (approved) => approved,
      (error) => ({ error: error.message ?? String(error) }),
    );
    return uri;
  },
  connected: ({ name }) => apps.get(name).outcome,
  request: ({ name, request, chain }) => apps.get(name).provider.request(request, chain),
  happened: ({ name }) => apps.get(name).inbox.next(),
  failed: ({ name }) => apps.get(name).failures.next(),
  leave: ({ name }) => apps.get(name).provider.disconnect(),
  /** Gone without a word, like a closed page. */
  async close({ name }) {
    const { core } = (apps.get(name)?.provider.client ?? wallets.get(name)?.kit);
    await core.relayer.transportClose();
    core.heartbeat.stop();
  },

  async wallet({ name, relay }) {
    const { metadata, ...rest } = options(name, relay);
    const kit = await WalletKit.init({ core: new Core(rest), metadata });
    const inbox = new Inbox();
    for (const event of ["session_proposal", "session_request", "session_delete"]) {
      kit.on(event, (payload) => inbox.put({ event, ...payload }));
    }
    wallets.set(name, { kit, inbox });
    return Object.keys(kit.getActiveSessions());
  },
  async pair({ name, uri }) {
    await wallets.get(name).kit.pair({ uri });
    return null;
  },
  asked: ({ name }) => wallets.get(name).inbox.next(),
  approve: async ({ name, id, namespaces }) => (await wallets.get(name).kit.approveSession({ id, namespaces })).topic,
  reject: ({ name, id }) => wallets.get(name).kit.rejectSession({ id, reason: getSdkError("USER_REJECTED") }),
  answer: ({ name, topic, id, outcome }) =>
    wallets.get(name).kit.respondSessionRequest({ topic, response: { id, jsonrpc: "2.0", ...outcome } }),
  emit: ({ name, ...event }) => wallets.get(name).kit.emitSessionEvent(event),
  update: async ({ name, topic, namespaces }) => void (await wallets.get(name).kit.updateSession({ topic, namespaces })),
  end: ({ name, topic }) =>
    wallets.get(name).kit.disconnectSession({ topic, reason: getSdkError("USER_DISCONNECTED") }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, params } = JSON.parse(line);
  const say = (answer) => process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`);
  Promise.resolve()
    .then(() => CALLS[call](params))
    .then(
      (value) => say({ value: value ?? null }),
      (error) => say({ error: { code: error.code ?? null, message: error.message ?? String(error) } }),
    );
}
process.exit(0);
