/** The namespaces that are served; a new one is a file of its own and a name here. */
import { bip122 } from "./bip122";
import { eip155 } from "./eip155";
import type { Adapter } from "./line";
import { polkadot } from "./polkadot";
import { solana } from "./solana";

export const ADAPTERS: Adapter[] = [eip155, solana, bip122, polkadot];
