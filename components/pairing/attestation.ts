/**
 * Asks the attestation host to vouch for our origin, in a hidden frame (the SDK's `verify`, v3).
 *
 * In place of the SDK's own, which waits five seconds for a fixed host; ours is the deployment's, and never holds anything up.
 */

const LEAST_PATIENCE = 150;
const MOST_PATIENCE = 1_000;

/** The payload of a JWT, unverified: wallets verify it, here it is only matched with the question. */
function payloadId(attestation: unknown): unknown {
  if (typeof attestation !== "string") return undefined;
  const body = attestation.split(".")[1] ?? "";
  return (JSON.parse(atob(body.replace(/-/g, "+").replace(/_/g, "/"))) as { id?: unknown }).id;
}

/**
 * The attestation of a message, "" when the host is silent.
 *
 * `usual`: how long the visitor's network takes to connect to a host, ms. The attestation host has as long, but 150 ms to one second.
 */
export async function attest(
  verifyUrl: string,
  message: { id: string; decryptedId: string; projectId: string },
  usual: number,
): Promise<string> {
  if (!verifyUrl) return "";
  const source = new URL(`${verifyUrl}/v3/attestation`);
  source.search = new URLSearchParams({ ...message, origin: location.origin }).toString();
  const frame = document.createElement("iframe");
  frame.src = source.href;
  frame.hidden = true;
  frame.title = "";
  let listen: (event: MessageEvent) => void = () => undefined;
  const heard = new Promise<string>((resolve) => {
    listen = (event) => {
      if (event.source !== frame.contentWindow || event.origin !== source.origin || typeof event.data !== "string") return;
      try {
        const { type, attestation } = JSON.parse(event.data) as { type?: unknown; attestation?: unknown };
        if (type !== "verify_attestation") return;
        if (attestation === null) resolve("");
        else if (payloadId(attestation) === message.id) resolve(attestation as string);
      } catch {
        // Not what it should say; the deadline goes on.
      }
    };
  });
  addEventListener("message", listen);
  document.body.append(frame);
  const wait = Math.min(Math.max(usual, LEAST_PATIENCE), MOST_PATIENCE);
  const patience = new Promise<string>((resolve) => setTimeout(() => resolve(""), wait));
  try {
    return await Promise.race([heard, patience]);
  } finally {
    removeEventListener("message", listen);
    frame.remove();
  }
}
