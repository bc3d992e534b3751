/** What the pairing module speaks of; the messages are in docs/protocol.md. */
import type { Namespace, ProtocolError, Session } from "../../loader/src/protocol";

export type { Namespace, ProtocolError };

const SERVED: Record<Namespace, true> = { eip155: true, solana: true, bip122: true, polkadot: true };

/** The namespaces that the frame deals with: the loader's, which the type above holds it to. */
export const NAMESPACES = Object.keys(SERVED) as readonly Namespace[];

/** What the phone holds in one namespace. `approved`: CAIP-2 ids, null: any network. */
export type PairedSession = Session & {
  approved: string[] | null;
  peer: { name: string; icon: string } | null;
};

export type Sessions = Partial<Record<Namespace, PairedSession>>;

/** The deployment's services. An empty `relayUrl`: pairing is not offered; an empty `verifyUrl`: nothing is attested. */
export type PairingConfig = { relayUrl: string; projectId: string; verifyUrl: string };

export type Metadata = { name: string; description: string; url: string; icons: string[] };

/** What the phone is to sign while it pairs (`core/sign_in/cacao.py`); the last of `resources` is the recap, "" stands for what is not there. */
export type SignInWish = {
  domain: string;
  uri: string;
  nonce: string;
  iat: string;
  exp: string;
  statement: string;
  requestId: string;
  resources: string[];
  chains: string[];
};

/** What the server asks of the phone: CAIP-2 chains, methods and events by namespace; with `signIn` also a signature. */
export type Proposal = {
  namespaces: Record<string, { chains: string[]; methods: string[]; events: string[] }>;
  metadata: Metadata;
  signIn?: SignInWish;
};

/** What a phone has approved: sessions, and what it signed for that (CACAO), unverified. */
export type Approval = { sessions: Sessions; cacaos: unknown[] };

/** An error with a code, as it crosses the windows. */
export class PairingError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const INTERNAL = -32603;
const REJECTED = 4001;
/** CAIP-25 and the pairing protocol count a person's refusal from 5000 to 5002; EIP-1193 has one number for it. */
const REFUSALS = new Set([REJECTED, 5000, 5001, 5002]);
const MAX_TEXT = 500;

/** Any failure as `{code, message}`; the SDK throws errors, plain objects and texts. */
export function plainError(failure: unknown): ProtocolError {
  const { code, message } = (typeof failure === "object" && failure ? failure : { message: failure }) as {
    code?: unknown;
    message?: unknown;
  };
  const number = typeof code === "number" && Number.isInteger(code) && code !== 0 ? code : INTERNAL;
  const text = typeof message === "string" && message ? message.slice(0, MAX_TEXT) : "Something went wrong";
  return { code: REFUSALS.has(number) ? REJECTED : number, message: text };
}

/** Whether a person on the phone said no. */
export function isRefusal(failure: unknown): boolean {
  return plainError(failure).code === REJECTED;
}
