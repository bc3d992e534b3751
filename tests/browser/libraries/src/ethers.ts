/** A host that uses ethers 6. */
import { BrowserProvider, Contract, getAddress, isError, verifyTypedData } from "ethers";
import { SIGNATURES, TYPED } from "./contract";

// As in a host's page: one for the life of the page, "any" because its visitor may change the network.
let held: BrowserProvider | undefined;
const provider = () => (held ??= new BrowserProvider(window.modal.getProvider("eip155"), "any"));

export async function connect(): Promise<string> {
  const [account] = await provider().send("eth_requestAccounts", []);
  return getAddress(account);
}

export const balance = async (address: string): Promise<string> => String(await provider().getBalance(address));

export const sign = async (text: string): Promise<string> => (await provider().getSigner()).signMessage(text);

export async function signTyped(text: string): Promise<string> {
  const types = { Note: [...TYPED.types.Note] };
  const signer = await provider().getSigner();
  return verifyTypedData(TYPED.domain, types, { text }, await signer.signTypedData(TYPED.domain, types, { text }));
}

export async function send(to: string, value: string): Promise<string> {
  const sent = await (await provider().getSigner()).sendTransaction({ to, value: BigInt(value) });
  const mined = await sent.wait();
  if (mined?.status !== 1) throw new Error("not mined");
  return mined.hash;
}

export async function switchTo(chainId: number): Promise<number> {
  await provider().send("wallet_switchEthereumChain", [{ chainId: "0x" + chainId.toString(16) }]);
  // ethers says once more which network it knew before; its makers want a new provider for another one.
  held = undefined;
  return Number((await provider().getNetwork()).chainId);
}

export async function failing(contract: string): Promise<string> {
  try {
    await new Contract(contract, SIGNATURES, provider()).getFunction("fail").staticCall();
  } catch (error) {
    if (isError(error, "CALL_EXCEPTION") && error.revert) return `${error.revert.name} ${error.revert.args[0]}`;
    throw error;
  }
  throw new Error("it did not fail");
}

export async function watch(contract: string, ready: () => void): Promise<string> {
  const watched = new Contract(contract, SIGNATURES, provider());
  const rang = new Promise<string>((resolve) => void watched.once("Rang", (_number, { log }) => resolve(log.transactionHash)).then(ready));
  return rang;
}
