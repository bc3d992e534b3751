/** A host that uses viem 2. */
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  custom,
  recoverTypedDataAddress,
  type Address,
} from "viem";
import { mainnet } from "viem/chains";
import { ABI, TYPED } from "./contract";

const wallet = () => createWalletClient({ transport: custom(window.modal.getProvider("eip155")) });
const reader = () => createPublicClient({ transport: custom(window.modal.getProvider("eip155")), pollingInterval: 200 });
const account = async (): Promise<Address> => (await wallet().getAddresses())[0]!;

export const connect = async (): Promise<string> => (await wallet().requestAddresses())[0]!;

export const balance = async (address: string): Promise<string> => String(await reader().getBalance({ address: address as Address }));

export const sign = async (message: string): Promise<string> => wallet().signMessage({ account: await account(), message });

export async function signTyped(text: string): Promise<string> {
  const typed = { ...TYPED, message: { text } };
  const signature = await wallet().signTypedData({ account: await account(), ...typed });
  return recoverTypedDataAddress({ ...typed, signature });
}

export async function send(to: string, value: string): Promise<string> {
  const hash = await wallet().sendTransaction({ account: await account(), to: to as Address, value: BigInt(value), chain: null });
  const { status } = await reader().waitForTransactionReceipt({ hash });
  if (status != "success") throw new Error("not mined");
  return hash;
}

/** One payment to each receiver, in one batch; waits until it is confirmed, and gives how many receipts it has. */
export async function pay(receivers: string[], value: string): Promise<number> {
  const calls = receivers.map((to) => ({ to: to as Address, value: BigInt(value) }));
  const { id } = await wallet().sendCalls({ account: await account(), chain: mainnet, calls });
  const { status, receipts } = await wallet().waitForCallsStatus({ id, pollingInterval: 200 });
  if (status != "success") throw new Error(`the batch: ${status}`);
  return receipts?.length ?? 0;
}

export async function switchTo(chainId: number): Promise<number> {
  await wallet().switchChain({ id: chainId });
  return wallet().getChainId();
}

export async function failing(contract: string): Promise<string> {
  try {
    await reader().readContract({ address: contract as Address, abi: ABI, functionName: "fail" });
  } catch (error) {
    const reverted = error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
    if (reverted instanceof ContractFunctionRevertedError) return `${reverted.data?.errorName} ${reverted.data?.args?.[0]}`;
    throw error;
  }
  throw new Error("it did not fail");
}

export function watch(contract: string, ready: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = reader().watchContractEvent({
      address: contract as Address,
      abi: ABI,
      eventName: "Rang",
      onLogs([log]) {
        stop();
        resolve(log!.transactionHash);
      },
      onError: reject,
    });
    ready();
  });
}
