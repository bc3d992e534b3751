// What MetaMask's own packages make of permissions and delegations: JSON in, JSON out.
//   node delegation_core.mjs …/package.json (whose packages are used)
// in: [{ permission: ERC-7715's `{ type, data, … }`, rules, nonce, delegation, enforcers }], where `delegation` has ours
// out: for each `{ caveats, hash, context, decoded, roundTrip }`: their caveats, what they make of our delegation, and what their decoders read in it
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const load = createRequire(process.argv[2]);
const core = load("@metamask/delegation-core");
const types = load("@metamask/7715-permission-types");

const CREATE = {
  "native-token-periodic": types.createNativeTokenPeriodicCaveats,
  "native-token-allowance": types.createNativeTokenAllowanceCaveats,
  "native-token-stream": types.createNativeTokenStreamCaveats,
  "erc20-token-periodic": types.createErc20TokenPeriodicCaveats,
  "erc20-token-allowance": types.createErc20TokenAllowanceCaveats,
  "erc20-token-stream": types.createErc20TokenStreamCaveats,
};

// The way in which the wallet's controller looks for the one kind of permission whose caveats these are.
function decode(caveats, enforcers) {
  const found = [];
  for (const config of types.makePermissionDecoderConfigs(enforcers)) {
    const required = new Map(Object.entries(config.requiredEnforcers));
    const counts = new Map();
    for (const one of caveats) counts.set(one.enforcer, (counts.get(one.enforcer) ?? 0) + 1);
    const known = [...counts.keys()].every((one) => required.has(one) || config.optionalEnforcers.includes(one));
    if (!known || ![...required].every(([one, count]) => counts.get(one) === count)) continue;
    try {
      const shared = { contractAddresses: config.contractAddresses, caveats, requiredEnforcers: required };
      const rules = config.rules.map((rule) => rule(shared)).filter((rule) => rule !== null);
      found.push({ type: config.permissionType, data: config.validateAndDecodeData(caveats, config.contractAddresses), rules });
    } catch {
      // Another kind has the same enforcers.
    }
  }
  return found;
}

const answers = JSON.parse(readFileSync(0, "utf8")).map(({ permission, delegation, enforcers }) => {
  const contracts = enforcers;
  const theirs = CREATE[permission.type]({ permission, contracts });
  const struct = { ...delegation, salt: BigInt(delegation.salt) };
  const context = core.encodeDelegations([struct]);
  const again = core.decodeDelegations(context).map((one) => ({ ...one, salt: one.salt.toString() }));
  return { caveats: theirs, hash: core.hashDelegation(struct), context, decoded: decode(delegation.caveats, enforcers), roundTrip: again };
});
process.stdout.write(JSON.stringify(answers));
