/** What the wallet asks the node of a network. */
import { rpcErrors } from "@metamask/rpc-errors";

export async function askNode(url: string, method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: params ?? [] });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (answer.error) throw rpcErrors.internal({ message: answer.error.message, data: answer.error });
  return answer.result;
}
