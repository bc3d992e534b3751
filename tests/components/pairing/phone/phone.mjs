// A wallet on a phone: the real WalletKit, driven by JSON lines on standard input. It never answers by itself.
//   node phone.mjs ws://127.0.0.1:8700/relay …/package.json (whose packages it is made of)
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

process.env.IS_VITEST = "true"; // The SDK's own switch: no call to its maker's hosts.
const load = createRequire(process.argv[3]);
const { Core } = load("@walletconnect/core");
const { WalletKit } = load("@reown/walletkit");
const { buildAuthObject, getSdkError, populateAuthPayload } = load("@walletconnect/utils");
const { privateKeyToAccount } = load("viem/accounts");

const held = new Map();
const storage = {
  getKeys: async () => [...held.keys()],
  getEntries: async () => [...held.entries()],
  getItem: async (key) => held.get(key),
  setItem: async (key, value) => void held.set(key, value),
  removeItem: async (key) => void held.delete(key),
};
const account = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
const second = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const kit = await WalletKit.init({
  core: new Core({ projectId: "phone", relayUrl: process.argv[2], storage, telemetryEnabled: false, logger: "silent" }),
  metadata: { name: "Test Phone", description: "", url: "http://localhost", icons: ["https://phone.example/icon.png"] },
});

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const note = (event) => say({ event });
kit.on("session_proposal", ({ id, params }) => note({ kind: "proposal", id, topic: params.pairingTopic, proposer: params.proposer.metadata, wants: params.optionalNamespaces }));
kit.on("session_request", ({ id, topic, params }) => note({ kind: "request", id, topic, chain: params.chainId, ...params.request }));
kit.on("session_delete", ({ topic }) => note({ kind: "delete", topic }));

/** What apps ask it to sign while they pair. */
const wishes = new Map();
const authenticate = ({ id, params }) => {
  wishes.set(id, params.authPayload);
  note({ kind: "authenticate", id, requester: params.requester.metadata, request: params.authPayload });
};
/** As a wallet does that signs in: without the listener the SDK takes the app's plain proposal instead. */
const signsIn = async ({ on }) => void (on ? kit.on("session_authenticate", authenticate) : kit.off("session_authenticate", authenticate));

/** A CACAO for each network, made by the SDK's own functions. */
async function signedFor({ id, chains, methods }) {
  const request = populateAuthPayload({ authPayload: wishes.get(id), chains, methods });
  const made = [];
  for (const chain of chains) {
    const iss = `did:pkh:${chain}:${account.address}`;
    const signature = await account.signMessage({ message: kit.formatAuthMessage({ request, iss }) });
    made.push(buildAuthObject(request, { t: "eip191", s: signature }, iss));
  }
  return made;
}

const topics = () => Object.keys(kit.getActiveSessions());
/** The sessions before it are those of pages that are gone. */
const newest = () => topics().at(-1);
const namespaces = (chains, accounts) => ({
  eip155: {
    chains,
    methods: ["personal_sign", "eth_sendTransaction", "wallet_switchEthereumChain"],
    events: ["accountsChanged", "chainChanged"],
    accounts: chains.flatMap((chain) => accounts.map((address) => `${chain}:${address}`)),
  },
});

const acts = {
  pair: ({ uri }) => kit.pair({ uri }),
  approve: ({ id, chains = ["eip155:1", "eip155:137"] }) =>
    kit.approveSession({ id, namespaces: namespaces(chains, [account.address, second]) }),
  reject: ({ id }) => kit.rejectSession({ id, reason: getSdkError("USER_REJECTED") }),
  signsIn,
  signIn: async ({ id, ...how }) => kit.approveSessionAuthenticate({ id, auths: await signedFor({ id, ...how }) }),
  refuseSignIn: ({ id }) => kit.rejectSessionAuthenticate({ id, reason: getSdkError("USER_REJECTED") }),
  sign: async ({ id, topic, message }) =>
    kit.respondSessionRequest({
      topic,
      response: { id, jsonrpc: "2.0", result: await account.signMessage({ message: { raw: message } }) },
    }),
  refuse: ({ id, topic }) =>
    kit.respondSessionRequest({ topic, response: { id, jsonrpc: "2.0", error: { code: 5000, message: "User rejected." } } }),
  emit: ({ event, data, chain }) => kit.emitSessionEvent({ topic: newest(), chainId: chain, event: { name: event, data } }),
  update: ({ chains }) => kit.updateSession({ topic: newest(), namespaces: namespaces(chains, [account.address]) }),
  end: async () => {
    for (const topic of topics()) await kit.disconnectSession({ topic, reason: getSdkError("USER_DISCONNECTED") });
  },
  sessions: async () => topics(),
  address: async () => account.address,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { number, act, ...params } = JSON.parse(line);
  acts[act](params).then(
    (value) => say({ number, value: Array.isArray(value) || typeof value === "string" ? value : null }),
    (error) => say({ number, error: String(error?.message ?? error) }),
  );
}
process.exit(0);
