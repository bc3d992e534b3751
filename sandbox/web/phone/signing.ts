/** One-click sign-in: an app asks the phone to sign a message while it connects (`wc_sessionAuthenticate`). */
import type { IWalletKit, WalletKitTypes } from "@reown/walletkit";
import { buildAuthObject, populateAuthPayload } from "@walletconnect/utils";
import { privateKeyToAccount } from "viem/accounts";
import { ACCOUNTS } from "../wallet/eip155/accounts";
import { kindOf } from "./kinds";

export type SignInRequest = WalletKitTypes.SessionAuthenticate["params"]["authPayload"];
type Answer = Parameters<IWalletKit["approveSessionAuthenticate"]>[0]["auths"][number];

/** What its owner chose: one account, and networks of `signable`. */
export interface SignInChoice {
  readonly address: string;
  readonly chains: readonly string[];
}

const KEY = "sandbox-phone-signs-in";

/** Whether the phone knows the request; one that does not connects by the app's plain proposal. */
export function signsIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== "no";
  } catch {
    return true;
  }
}

export function rememberSignsIn(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? "yes" : "no");
  } catch {
    // Denied or full: the page's own life is then all there is.
  }
}

/** The networks that an app asks for and the phone has, in the app's order. */
export function signable(request: SignInRequest): readonly string[] {
  return request.chains.filter((chain) => kindOf("eip155")?.chains.includes(chain));
}

/** The text of one of the messages, as it is signed. */
export function messageFor(kit: IWalletKit, request: SignInRequest, address: string, chain: string): string {
  return kit.formatAuthMessage({ request: granted(request), iss: `did:pkh:${chain}:${address}` });
}

/** A signed message for each of the chosen networks. */
export function signedFor(kit: IWalletKit, request: SignInRequest, { address, chains }: SignInChoice): Promise<Answer[]> {
  const key = ACCOUNTS.find((account) => account.address === address)?.key;
  if (key === undefined) throw new Error("The phone has no such account");
  const account = privateKeyToAccount(key);
  const answers = chains.map(async (chain) => {
    const signature = await account.signMessage({ message: messageFor(kit, request, address, chain) });
    return buildAuthObject(granted(request), { t: "eip191", s: signature }, `did:pkh:${chain}:${address}`);
  });
  return Promise.all(answers);
}

/** The request with the phone's own networks and methods in place of all that the app would like. */
function granted(request: SignInRequest): SignInRequest {
  return populateAuthPayload({
    authPayload: request,
    chains: [...signable(request)],
    methods: [...(kindOf("eip155")?.methods ?? [])],
  });
}
