/**
 * The script of permissions as AppKit's pages ask for them (`wallet_grantPermissions`, ERC-7715 in its draft of 2024, with a signer of type
 * `keys`): one delegation to the first of the keys, which is that of the service that hands in calls for the page. Taking one back ends it on
 * the chain, and signs its id for the service.
 */
import { hex, random, unhex, utf8 } from "./bytes";
import { isObject, text, type Data, type DataObject } from "./clean";
import { t } from "./language";
import { MANAGER } from "./requests/delegated";
import type { Asked, GrantTools, Plan, SmartAccountTools } from "./scripts";
import { addressWord, bytesTail, word } from "./smart_account/abi";

const KEPT = "grants";
const MOST = 50;
const MOST_FUNCTIONS = 8;
const UNSUPPORTED = 4200;
const FOREVER = 2n ** 256n - 1n;
const ROOT = `0x${"f".repeat(64)}`;
const FIELDS = new Set(["chainId", "address", "account", "expiry", "signer", "permissions", "policies", "version"]);
/** Numbers beyond this are milliseconds: the kit's own subscriptions have them. */
const MILLISECONDS = 100_000_000_000n;
/** What stands in a context before its one delegation. */
const ONE = word(32) + word(1) + word(32);

interface Caveat extends DataObject {
  enforcer: string;
  terms: string;
}

interface Grant {
  chain: string;
  expiry: string;
  permissions: string;
  context: string;
}

type Wrong = (what: string) => Error;
/** What each enforcer is to hold, by the words of `ENFORCERS`. */
type Terms = Record<string, string>;

/** The permissions that pay, and can be granted: the fields of their data, and their terms from `now` on. */
const KINDS: Record<string, [fields: string[], terms: (data: DataObject, now: bigint, wrong: Wrong) => Terms]> = {
  "native-token-recurring-allowance": [
    ["allowance", "start", "period"],
    ({ allowance, start, period }, now, wrong) =>
      ofCoins(number(allowance, wrong), number(period, wrong), start === undefined ? now : seconds(number(start, wrong))),
  ],
  "native-token-transfer": [["allowance"], ({ allowance }, now, wrong) => ofCoins(number(allowance, wrong), FOREVER, now)],
  "erc20-token-transfer": [
    ["address", "allowance"],
    ({ address, allowance }, now, wrong) => ({
      "erc20 period": readAddress(address, wrong).slice(2).toLowerCase() + word(number(allowance, wrong)) + word(FOREVER) + word(now),
      coins: word(0),
    }),
  ],
};

/** A permission of type `contract-call`: its terms, and its functions by selector. */
function ofCalls(data: DataObject, policies: Data[], { keccak }: SmartAccountTools, wrong: Wrong): [Terms, Map<string, string>] {
  const { address, abi, functions } = known(data, ["address", "abi", "functions"], wrong);
  if (!Array.isArray(functions) || !functions.length || functions.length > MOST_FUNCTIONS || !Array.isArray(abi)) throw wrong("functions");
  const limits = new Set<bigint>();
  const named = new Map<string, string>();
  for (const one of functions) {
    const { functionName, args, valueLimit, operation } = known(one, ["functionName", "args", "valueLimit", "operation"], wrong);
    // Terms compare bytes at one place of all calls: they cannot hold what each function's arguments must be.
    if (Array.isArray(args) ? args.length : args) throw wrong("conditions on arguments are not supported");
    if (operation && !/^call$/i.test(String(operation))) throw wrong("operation is not supported");
    limits.add(valueLimit && !/^0x0*$/.test(String(valueLimit)) ? number(valueLimit, wrong) : 0n);
    const found = abi.filter((entry) => isObject(entry) && entry["type"] === "function" && entry["name"] === functionName);
    if (found.length !== 1) throw wrong("functionName is in the abi not exactly once");
    const signature = `${functionName}(${types((found[0] as DataObject)["inputs"], wrong)})`;
    if (!/^[\w$]{1,64}\([a-z0-9,()[\]]{0,256}\)$/.test(signature)) throw wrong("abi");
    named.set(hex(keccak(utf8(signature)).subarray(0, 4)), signature);
  }
  if (limits.size !== 1) throw wrong("functions with several limits are not supported");
  const [limit = 0n] = limits;
  const counts = policies.map((one) => {
    const { type, data } = known(one, ["type", "data"], wrong);
    if (type !== "call-limit" || policies.length > 1) throw wrong("policies other than call-limit are not supported");
    return word(number(known(data, ["count"], wrong)["count"], wrong));
  });
  const calls = counts.length ? { calls: counts.join("") } : undefined;
  return [{ payees: readAddress(address, wrong).slice(2).toLowerCase(), methods: [...named.keys()].join(""), coins: word(limit), ...calls }, named];
}

/** The types of a function's arguments, as its signature spells them. */
function types(inputs: Data | undefined, wrong: Wrong, depth = 4): string {
  if (!Array.isArray(inputs) || !depth) throw wrong("abi");
  return inputs
    .map((one) => {
      const { type = null, components } = isObject(one) ? one : {};
      if (typeof type !== "string") throw wrong("abi");
      return type.startsWith("tuple") ? `(${types(components, wrong, depth - 1)})${type.slice(5)}` : type;
    })
    .join(",");
}

const ofCoins = (amount: bigint, period: bigint, start: bigint): Terms => ({ "native period": word(amount) + word(period) + word(start), "no data": "" });
const seconds = (moment: bigint): bigint => (moment > MILLISECONDS ? moment / 1000n : moment);

function number(value: Data | undefined, wrong: Wrong): bigint {
  const fits = typeof value === "string" ? /^(?:0x[0-9a-fA-F]{1,64}|\d{1,77})$/.test(value) : typeof value === "number" && Number.isSafeInteger(value);
  const found = fits ? BigInt(value as string | number) : 0n;
  if (found <= 0n) throw wrong("a number of the permission");
  return found;
}

function readAddress(value: Data | undefined, wrong: Wrong): string {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value)) throw wrong("an address");
  return value;
}

function known(given: Data | undefined, names: Iterable<string>, wrong: Wrong): DataObject {
  if (!isObject(given)) throw wrong("no object");
  const all = new Set(names);
  const other = Object.keys(given).find((name) => !all.has(name));
  if (other !== undefined) throw wrong(`${other.slice(0, 40)} is not known`);
  return given;
}

/** The account of the key that hands in the calls. */
function readDelegate(signer: Data | undefined, { checksummed, keccak }: SmartAccountTools, wrong: Wrong): string {
  const { type, data } = known(signer, ["type", "data"], wrong);
  const { keys } = known(data, ["keys"], wrong);
  if (type !== "keys" || !Array.isArray(keys) || !keys.length || keys.length > 2) throw wrong("signer");
  // The first one is the service's; that of the page, if there is one, is for the service to check.
  const key = known(keys[0], ["type", "publicKey"], wrong);
  const spelled = key["publicKey"];
  if (key["type"] !== "secp256k1" || typeof spelled !== "string" || !/^0x04[0-9a-fA-F]{128}$/.test(spelled)) throw wrong("signer.data.keys");
  return checksummed(`0x${hex(keccak(unhex(`0x${spelled.slice(4)}`)).subarray(12))}`);
}

async function nonceOf({ node, addresses }: Asked, { keccak, FrameError, enforcerOf }: GrantTools): Promise<string> {
  const question = hex(keccak(utf8("currentNonce(address,address)"))).slice(0, 8) + addressWord(MANAGER) + addressWord(addresses.evm);
  const told = await node("eth_call", [{ to: enforcerOf("nonce"), data: `0x${question}` }, "latest"]);
  if (typeof told !== "string" || !/^0x[0-9a-f]{64}$/i.test(told)) throw new FrameError("Permissions are not supported on this network", UNSUPPORTED);
  return told.slice(2);
}

/** Plans one grant; gives what the page has asked for, with its context. */
export async function planGrant(asked: Asked, tools: GrantTools): Promise<Plan> {
  const wrong = tools.invalid;
  const { addresses, chain } = asked;
  const account = addresses.evm;
  // With the operation of the modal's server, and its entry point, in which an ordinary account becomes a smart account.
  const [wanted, ...operation] = Array.isArray(asked.params) && [1, 3].includes(asked.params.length) ? asked.params : [];
  const given = known(wanted, FIELDS, wrong);
  const { chainId, expiry, signer, permissions, policies } = given;
  if (chainId !== undefined && `eip155:${number(chainId, wrong)}` !== chain) throw wrong("chainId is another network");
  for (const name of [given["address"], given["account"]]) {
    if (name !== undefined && text(name, 42)?.toLowerCase() !== account.toLowerCase()) throw wrong("another account");
  }
  if (!Array.isArray(permissions) || permissions.length !== 1) throw wrong("one permission at a time");
  const { type, data } = known(permissions[0], ["type", "data"], wrong);
  const isCall = type === "contract-call";
  if (policies !== undefined && !(Array.isArray(policies) && (isCall || !policies.length))) throw wrong("policies are not supported");
  const kind = Object.hasOwn(KINDS, String(type)) && KINDS[String(type)];
  if (!kind && !isCall) throw wrong(`a permission of type ${String(type).slice(0, 40)} is not supported`);
  const [until, now] = [number(expiry, wrong), BigInt(Math.floor(Date.now() / 1000))];
  if (until <= now) throw wrong("expiry");
  const delegate = readDelegate(signer, tools, wrong);
  const [held, functions] = kind ? [kind[1](known(data, kind[0], wrong), now, wrong)] : ofCalls(data as DataObject, (policies as Data[] | undefined) ?? [], tools, wrong);
  const terms: Terms = { ...held, time: word(until), nonce: await nonceOf(asked, tools) };
  const caveats = Object.entries(terms).map(([kept, term]) => ({ enforcer: tools.enforcerOf(kept), terms: `0x${term}` }));
  const salt = `0x${hex(random(32))}`;
  const message = { delegate, delegator: account, authority: ROOT, caveats, salt };
  const plan = await tools.planDelegation({ ...asked, params: [account, typedData(message, chain), ...operation] }, tools);
  for (const row of plan.summary.sections[0]?.rows ?? []) {
    const name = row.label === t`Function` && functions?.get(row.value.slice(2));
    const { value } = row;
    if (name) row.value = t`${name}, which is ${value}`;
  }
  return {
    ...plan,
    send: async (signed, sign, say) => {
      const { signature, hash, ...more } = (await plan.send?.(signed, sign, say)) as { signature: string; hash: string };
      const context = `0x${ONE}${encode(message, caveats, signature)}`;
      const grant: Grant = { chain, expiry: `${until}`, permissions: JSON.stringify(permissions), context };
      await keep(asked, grant);
      const signerMeta = { delegationManager: tools.checksummed(MANAGER) };
      return { chainId: `0x${BigInt(chain.slice(7)).toString(16)}`, ...given, address: account, context, signerMeta, ...(hash && { hash }), ...more };
    },
  };
}

const typedData = (message: DataObject, chain: string): DataObject => ({
  types: {
    EIP712Domain: fields("name string", "version string", "chainId uint256", "verifyingContract address"),
    Caveat: fields("enforcer address", "terms bytes"),
    Delegation: fields("delegate address", "delegator address", "authority bytes32", "caveats Caveat[]", "salt uint256"),
  },
  primaryType: "Delegation",
  domain: { name: "DelegationManager", version: "1", chainId: chain.slice(7), verifyingContract: MANAGER },
  message,
});

const fields = (...all: string[]): Data => all.map((one) => ({ name: one.split(" ")[0] as string, type: one.split(" ")[1] as string }));

/** Encodes the signed delegation as contracts take it: `(address,address,bytes32,(address,bytes,bytes)[],uint256,bytes)`. */
function encode({ delegate, delegator, salt }: { delegate: string; delegator: string; salt: string }, caveats: Caveat[], signature: string): string {
  const entries = caveats.map(({ enforcer, terms }) => {
    const tail = bytesTail(terms.slice(2));
    return addressWord(enforcer) + word(96) + word(96 + tail.length / 2) + tail + bytesTail("");
  });
  let at = entries.length * 32;
  const places = entries.map((entry) => {
    const place = word(at);
    at += entry.length / 2;
    return place;
  });
  const list = word(entries.length) + places.join("") + entries.join("");
  const head = addressWord(delegate) + addressWord(delegator) + ROOT.slice(2) + word(192) + word(BigInt(salt)) + word(192 + list.length / 2);
  return head + list + bytesTail(signature.slice(2));
}

async function kept({ store }: Asked): Promise<Grant[]> {
  const found = await store.get(KEPT);
  return Array.isArray(found) ? (found as Grant[]) : [];
}

async function keep(asked: Asked, grant: Grant): Promise<void> {
  // What cannot be kept is known to whoever keeps the context.
  await asked.store.put(KEPT, [grant, ...(await kept(asked))].slice(0, MOST)).catch(() => undefined);
}

/** Plans the end of a grant; gives the signature of its id, with which the service hears of it. */
export async function planEnd(asked: Asked, tools: SmartAccountTools): Promise<Plan> {
  const wrong = tools.invalid;
  const given = Array.isArray(asked.params) ? asked.params[0] : asked.params;
  if (!isObject(given)) throw wrong("no permission");
  const { evm } = asked.addresses;
  const pci = given["pci"];
  // Nothing that a site could take for a message of its own.
  if (typeof pci !== "string" || !/^[0-9a-zA-Z-]{1,64}$/.test(pci)) throw wrong("pci");
  const context = text(given["context"], 65_538) ?? (await contextOf(asked, given));
  if (!context?.startsWith(`0x${ONE}`)) throw wrong("no permission that was granted here");
  const call = hex(tools.keccak(utf8("disableDelegation((address,address,bytes32,(address,bytes,bytes)[],uint256,bytes))"))).slice(0, 8);
  const data = `0x${call}${word(32)}${context.slice(2 + ONE.length)}`;
  const message = await tools.readRequest({ ...asked, method: "personal_sign", params: [`0x${hex(utf8(pci))}`, evm] }, tools);
  const delegate = tools.checksummed(`0x${context.slice(2 + ONE.length + 24, 2 + ONE.length + 64)}`);
  const ending = await tools.planTransaction({ ...asked, params: [{ from: evm, to: MANAGER, data }] }, tools, {
    summary: {
      title: t`Take back a permission`,
      sections: [{ rows: [{ label: t`Who may no longer act`, value: delegate, tone: "code" }, { label: t`Signs its id`, value: pci, tone: "code" }] }],
      warnings: [],
    },
    delegation: null,
  });
  return {
    ...ending,
    message: utf8(pci),
    sign: (keys) => ({ signature: message.sign(keys), transaction: ending.sign(keys) }),
    send: async (signed) => {
      const { signature = null, transaction = null } = signed as DataObject;
      await ending.send(transaction);
      return signature;
    },
  };
}

/** The context of a permission that was granted in this browser, by what the page says of it. */
async function contextOf(asked: Asked, { expiry, permissions }: DataObject): Promise<string | undefined> {
  const told = JSON.stringify(permissions ?? null);
  const found = (await kept(asked)).find((one) => one.chain === asked.chain && one.expiry === String(expiry) && one.permissions === told);
  return found?.context;
}
