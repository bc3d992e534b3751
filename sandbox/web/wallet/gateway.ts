/** The way to the chains: the sandbox's RPC gateway, on the origin that the script came from, which need not be the page's. */
import { ProviderRpcError, chainNotServed, disconnected } from "./errors";
import { isObject } from "./shapes";

const TIMEOUT_MS = 30_000;

const script = document.currentScript;
const GATEWAY = new URL("/rpc/v1/", script instanceof HTMLScriptElement ? script.src : location.href).href;

/**
 * Call one JSON-RPC method of a chain (CAIP-2).
 *
 * Raises what the node answers, as it is; 4901 for a chain that the gateway does not serve, 4900 when no answer comes.
 */
export async function askChain(chain: string, method: string, params: readonly unknown[]): Promise<unknown> {
  let status: number;
  let answer: unknown;
  try {
    const response = await fetch(`${GATEWAY}?chainId=${chain}&projectId=sandbox-wallet`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    answer = await response.json();
  } catch {
    throw disconnected();
  }
  if (isObject(answer) && isObject(answer.error)) {
    const { code, message, data } = answer.error;
    throw new ProviderRpcError(Number(code), String(message), data);
  }
  if (isObject(answer) && status === 400 && answer.status === "FAILED") throw chainNotServed(chain);
  if (!isObject(answer) || !("result" in answer)) throw disconnected();
  return answer.result;
}

/** Like askChain, for methods that answer with a hexadecimal quantity. */
export async function askQuantity(chain: string, method: string, params: readonly unknown[]): Promise<bigint> {
  const value = await askChain(chain, method, params);
  if (typeof value !== "string") throw new ProviderRpcError(-32603, `The node answered ${method} with no quantity.`);
  return BigInt(value);
}
