// What viem and permissionless make of the sandbox's bundler and paymaster: `node clients.mjs <options as JSON>` prints JSON.
// `account`: "simple7702", "simple07", "simple08" or "safe"; `pays`: "account", "sponsor", or a token's address; `gifts`: what the faucet
// gives the account first; `batches`: the payments of each operation.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../../sandbox/package.json", import.meta.url));
const { createPublicClient, erc20Abi, extractChain, http, toHex } = require("viem");
const { createBundlerClient, createPaymasterClient, entryPoint07Address, entryPoint08Address, toSimple7702SmartAccount } =
  require("viem/account-abstraction");
const { privateKeyToAccount } = require("viem/accounts");
const chains = require("viem/chains");
const { createSmartAccountClient } = require("permissionless");
const { toSafeSmartAccount, toSimpleSmartAccount } = require("permissionless/accounts");
const { createPimlicoClient } = require("permissionless/clients/pimlico");
const { prepareUserOperationForErc20Paymaster } = require("permissionless/experimental/pimlico");

const { chainId, rpc, bundler, paymaster, faucet, key, account: kind, pays, gifts, batches } = JSON.parse(process.argv[2]);
const chain = extractChain({ chains: Object.values(chains), id: chainId });
const client = createPublicClient({ chain, transport: http(rpc) });
const owner = privateKeyToAccount(key);
const entryPoint07 = { address: entryPoint07Address, version: "0.7" };
const entryPoint08 = { address: entryPoint08Address, version: "0.8" };

const account = await {
  simple7702: () => toSimple7702SmartAccount({ client, owner }),
  simple07: () => toSimpleSmartAccount({ client, owner, entryPoint: entryPoint07 }),
  simple08: () => toSimpleSmartAccount({ client, owner, entryPoint: entryPoint08 }),
  safe: () => toSafeSmartAccount({ client, owners: [owner], version: "1.4.1", entryPoint: entryPoint07 }),
}[kind]();

const entryPoint = account.entryPoint;
const prices = createPimlicoClient({ chain, transport: http(bundler), entryPoint });
const sponsor = createPimlicoClient({ chain, transport: http(paymaster), entryPoint });
const withToken = pays !== "account" && pays !== "sponsor";
const create = withToken ? createSmartAccountClient : createBundlerClient;
const bundlerClient = create({
  account,
  chain,
  client,
  [withToken ? "bundlerTransport" : "transport"]: http(bundler),
  ...(pays === "account" ? {} : { paymaster: createPaymasterClient({ transport: http(paymaster) }) }),
  ...(withToken ? { paymasterContext: { token: pays } } : {}),
  userOperation: {
    estimateFeesPerGas: async () => (await prices.getUserOperationGasPrice()).fast,
    ...(withToken ? { prepareUserOperation: prepareUserOperationForErc20Paymaster(sponsor) } : {}),
  },
});

for (const gift of gifts) {
  const body = JSON.stringify({ address: account.address, ...gift });
  const given = await fetch(faucet, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (!given.ok) throw new Error(await given.text());
}

async function send(payments) {
  const needsAuthorization = kind === "simple7702" && (await client.getCode({ address: owner.address })) === undefined;
  const authorization = needsAuthorization
    ? await owner.signAuthorization({
        address: account.authorization.address,
        chainId,
        nonce: await client.getTransactionCount({ address: owner.address }),
      })
    : undefined;
  const calls = payments.map(({ token, to, amount }) => ({
    to: token,
    abi: erc20Abi,
    functionName: "transfer",
    args: [to, BigInt(amount)],
  }));
  const hash = await bundlerClient.sendUserOperation({ calls, authorization });
  const receipt = await bundlerClient.waitForUserOperationReceipt({ hash, pollingInterval: 20 });
  const found = await bundlerClient.getUserOperation({ hash });
  return {
    success: receipt.success,
    reason: receipt.reason,
    paymaster: receipt.paymaster,
    cost: toHex(receipt.actualGasCost),
    found: found.userOperation.sender,
  };
}

const operations = [];
for (const payments of batches) operations.push(await send(payments));
const told = {
  account: account.address,
  entryPoint: entryPoint.address,
  entryPoints: await bundlerClient.getSupportedEntryPoints(),
  chainId: await bundlerClient.getChainId(),
  operations,
};
process.stdout.write(JSON.stringify(told));
