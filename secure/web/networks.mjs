/** The networks whose names and coins the page knows: those that come with the modal. A request of another one is shown by its CAIP-2 id. */
import { readFileSync } from "node:fs";

const chains = JSON.parse(readFileSync(new URL("../../walletmodal/core/data/chains.json", import.meta.url), "utf8"));
const DECIMALS = { eip155: 18, solana: 9 };

/** By CAIP-2 id: name and symbol of the coin. */
export const networks = Object.fromEntries(
  chains
    .filter((chain) => DECIMALS[chain.chainNamespace] === chain.nativeCurrency.decimals)
    .map((chain) => [chain.caipNetworkId, [chain.name, chain.nativeCurrency.symbol]]),
);
