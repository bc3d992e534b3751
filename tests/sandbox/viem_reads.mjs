// What viem reads of one chain in one call of Multicall3: `node viem_reads.mjs <chain id> <RPC URL> <token>` prints JSON.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../sandbox/package.json", import.meta.url));
const { createPublicClient, erc20Abi, extractChain, http } = require("viem");
const chains = require("viem/chains");

const [id, url, address] = process.argv.slice(2);
const chain = extractChain({ chains: Object.values(chains), id: Number(id) });
const client = createPublicClient({ chain, transport: http(url), batch: { multicall: true } });
const contracts = ["symbol", "decimals"].map((functionName) => ({ address, abi: erc20Abi, functionName }));
const together = await client.multicall({ contracts, allowFailure: false });
const apart = await Promise.all(contracts.map((one) => client.readContract(one)));
process.stdout.write(JSON.stringify({ together, apart }));
