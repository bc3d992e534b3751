// Prints, for a private key, what permissionless and viem make of its Safe: where it is, and what is signed. The chain is empty.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../sandbox/package.json", import.meta.url));
const { createPublicClient, custom, encodeAbiParameters } = require("viem");
const { privateKeyToAccount } = require("viem/accounts");
const { entryPoint07Address } = require("viem/account-abstraction");
const { toSafeSmartAccount } = require("permissionless/accounts");

const { key, operation, sponsor, typed } = JSON.parse(process.argv[2]);
const { bytecode } = require("@safe-global/safe-contracts/build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json");
// The one call is to the factory, for the code of its proxies.
const answers = { eth_chainId: "0x1", eth_getCode: "0x", eth_call: encodeAbiParameters([{ type: "bytes" }], [bytecode]) };
const chain = { id: 1, name: "one", nativeCurrency: { name: "", symbol: "", decimals: 18 }, rpcUrls: { default: { http: [] } } };
const client = createPublicClient({ chain, transport: custom({ request: async ({ method }) => answers[method] ?? Promise.reject(new Error(method)) }) });
const owner = privateKeyToAccount(key);
const account = await toSafeSmartAccount({ client, owners: [owner], version: "1.4.1", useMultiSendForSetup: false, entryPoint: { address: entryPoint07Address, version: "0.7" } });
const { factory, factoryData } = await account.getFactoryArgs();
const paying = { ...sponsor, ...Object.fromEntries(Object.entries(sponsor).filter(([name]) => name.endsWith("Limit")).map(([name, gas]) => [name, BigInt(gas)])) };
const made = { ...operation, sender: account.address, factory, factoryData };
console.log(
  JSON.stringify({
    owner: owner.address,
    address: account.address,
    factory,
    factoryData,
    operation: await account.signUserOperation(made),
    sponsored: await account.signUserOperation({ ...made, factory: undefined, factoryData: undefined, ...paying }),
    typed: await account.signTypedData(typed),
  }),
);
