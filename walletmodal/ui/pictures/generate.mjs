// Writes assets/networks/{namespace}-{reference}.svg for every network of walletmodal/core/data/chains.json.
// `npm install && npm run generate` in this folder; the pictures are committed, so nothing else needs these packages.

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { networks as known } from "@web3icons/common";
import { optimize } from "svgo";

const CHAINS = new URL("../../core/data/chains.json", import.meta.url);
const OUTPUT = new URL("../../../assets/networks/", import.meta.url);
const MAX_BYTES = 8 * 1024;

// Networks that the package does not know under their own id: most are test networks, which look like their main network.
const SAME_AS = {
  "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1": "solana",
  "solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z": "solana",
  "bip122:000000000933ea01ad0ee984209779ba": "bitcoin",
  "eip155:31": "rootstock",
  "eip155:420": "optimism",
  "eip155:999": "zora",
  "eip155:1112": "wemix",
  "eip155:1301": "unichain",
  "eip155:2021": "ronin",
  "eip155:57054": "sonic",
  "eip155:80001": "polygon",
  "eip155:80069": "berachain",
  "eip155:80084": "berachain",
  "eip155:84531": "base",
  "eip155:421613": "arbitrum-one",
  "eip155:560048": "ethereum",
  "eip155:1449000": "xrp",
  "eip155:999999999": "zora",
  "eip155:1313161555": "aurora",
};

// Networks without a picture in the package: our own drawing, one bold letter on a gradient.
const DRAWN = {
  "eip155:2810": ["#14a800", "#0b5d1e", "M6.5 17V7.5l5.5 6 5.5-6V17"],
  "eip155:2818": ["#14a800", "#0b5d1e", "M6.5 17V7.5l5.5 6 5.5-6V17"],
  "eip155:9001": ["#ed4e33", "#8f1d3f", "M16.5 7H8v10h8.5M8 12h6.5"],
  "polkadot:91b171bb158e2d3848fa23a9f1c25182": ["#e6238a", "#8a0f5c", "M8.5 17.5V7h5a3.2 3.2 0 0 1 0 6.4h-5"],
};

function drawn([from, to, letter]) {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">' +
    `<stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><path fill="url(#g)" d="M0 0h24v24H0z"/>` +
    `<path d="${letter}" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  );
}

async function source(caip) {
  if (caip in DRAWN) return drawn(DRAWN[caip]);
  const wanted = SAME_AS[caip] ?? known.find((network) => network.caip2id === caip)?.filePath.replace("network:", "");
  if (!wanted) throw new Error(`${caip}: no picture; add it to SAME_AS or DRAWN`);
  return (await import(`@web3icons/core/svgs/networks/background/${wanted}.svg.js`)).default;
}

await mkdir(OUTPUT, { recursive: true });
for (const old of await readdir(OUTPUT)) await rm(new URL(old, OUTPUT));
for (const { chainNamespace, id } of JSON.parse(await readFile(CHAINS, "utf8"))) {
  const svg = await source(`${chainNamespace}:${id}`);
  const { data } = optimize(svg, { multipass: true, floatPrecision: 2, plugins: ["preset-default", "removeDimensions", { name: "removeAttrs", params: { attrs: "class" } }] });
  if (data.length > MAX_BYTES) throw new Error(`${chainNamespace}:${id}: ${data.length} bytes`);
  await writeFile(new URL(`${chainNamespace}-${id}.svg`, OUTPUT), `${data}\n`);
}
