/** Errors as wallets raise them: EIP-1193, EIP-1474, EIP-3326. */
export class ProviderRpcError extends Error {
  override readonly name = "ProviderRpcError";

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export const userRejected = () => new ProviderRpcError(4001, "User rejected the request.");
export const unauthorized = (message: string) => new ProviderRpcError(4100, message);
export const unsupportedMethod = (method: string) =>
  new ProviderRpcError(4200, `The Sandbox Wallet does not support the method ${method.slice(0, 100)}.`);
export const disconnected = () =>
  new ProviderRpcError(4900, "The Sandbox Wallet does not reach the sandbox's gateway.");
export const chainNotServed = (chain: string) =>
  new ProviderRpcError(4901, `The sandbox runs no chain ${chain}.`);
export const unknownChain = (chainId: number) =>
  new ProviderRpcError(4902, `The Sandbox Wallet does not know the chain 0x${chainId.toString(16)}. Add it first.`);
export const invalidParams = (message: string) => new ProviderRpcError(-32602, message);
