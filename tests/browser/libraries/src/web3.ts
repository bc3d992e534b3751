/** A host that uses web3.js 4. */
import { Web3 } from "web3";
import { ABI, TYPED } from "./contract";

let held: Web3 | undefined;
const web3 = (): Web3 => (held ??= new Web3(window.modal.getProvider("eip155")));
const account = async (): Promise<string> => (await web3().eth.getAccounts())[0]!;

export const connect = async (): Promise<string> => (await web3().eth.requestAccounts())[0]!;

export const balance = async (address: string): Promise<string> => String(await web3().eth.getBalance(address));

export const sign = async (text: string): Promise<string> => web3().eth.personal.sign(web3().utils.utf8ToHex(text), await account(), "");

export async function signTyped(text: string): Promise<string> {
  const typed = { ...TYPED, types: { EIP712Domain: [{ name: "name", type: "string" }], Note: [...TYPED.types.Note] }, message: { text } };
  const signer = await account();
  const signature = await web3().eth.signTypedData(signer, typed, false);
  return typeof signature == "string" && signature.length == 132 ? signer : "no signature";
}

export async function send(to: string, value: string): Promise<string> {
  const { transactionHash, status } = await web3().eth.sendTransaction({ from: await account(), to, value });
  if (String(status) != "1") throw new Error("not mined");
  return String(transactionHash);
}

export async function switchTo(chainId: number): Promise<number> {
  await web3().currentProvider!.request({ method: "wallet_switchEthereumChain", params: [{ chainId: web3().utils.toHex(chainId) }] });
  return Number(await web3().eth.getChainId());
}

export async function failing(contract: string): Promise<string> {
  try {
    await new (web3().eth.Contract)(ABI, contract).methods.fail!().call();
  } catch (error) {
    // `any`: web3.js puts what it has read of a revert into an error without a type.
    const { errorName, errorArgs } = (error as any).cause ?? {};
    if (errorName) return `${errorName} ${errorArgs[0]}`;
    throw error;
  }
  throw new Error("it did not fail");
}

/** web3.js watches by `eth_subscribe` alone; what it has without is a filter that the host asks itself. */
export async function watch(contract: string, ready: () => void): Promise<string> {
  // `any`: the answer has the shape of its method, which web3.js knows for its own methods alone.
  const request = (method: string, params: unknown[]) => web3().requestManager.send({ method, params } as never) as Promise<any>;
  const filter = await request("eth_newFilter", [{ address: contract }]);
  ready();
  for (;;) {
    const [log] = await request("eth_getFilterChanges", [filter]);
    if (log) {
      if (!(await request("eth_uninstallFilter", [filter]))) throw new Error("the filter was gone");
      return log.transactionHash;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
