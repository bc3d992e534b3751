/** The networks that the wallet can be taught: those whose chains the sandbox runs. */

export interface Network {
  readonly name: string;
  readonly symbol: string;
}

const NETWORKS: ReadonlyMap<number, Network> = new Map([
  [1, { name: "Ethereum", symbol: "ETH" }],
  [137, { name: "Polygon", symbol: "POL" }],
  [10, { name: "OP Mainnet", symbol: "ETH" }],
  [8453, { name: "Base", symbol: "ETH" }],
  [42161, { name: "Arbitrum One", symbol: "ETH" }],
]);

export function networkOf(chainId: number): Network {
  return NETWORKS.get(chainId) ?? { name: `Chain ${chainId}`, symbol: "coins" };
}
