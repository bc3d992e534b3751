/** Another email address: approved here, for the modal may lie about it; a code from the present one, then one from the new one. */
import { text, type DataObject } from "../clean";
import { FrameError } from "../errors";
import type { Parts } from "../frame";
import { t } from "../language";
import { readUser } from "../user";
import { approve } from "./approval";

type Sent = { words: string | undefined };

/** Sends a code to the present address, once the visitor has approved the new one; raises 4001 otherwise, 4100 when nobody is signed in. */
export async function begin(email: string, { login, screen }: Parts): Promise<DataObject> {
  const { email: present } = await login.user();
  if (!present) throw new FrameError("This account has no email address", undefined, "no_email");
  return screen.run(async (turn) => {
    const rows = [
      { label: t`Now`, value: present },
      { label: t`New`, value: asciiAddress(email) },
    ];
    const warnings = [t`Whoever reads the mail of the new address can log in to your wallet.`];
    await approve({ title: t`Change your email address`, sections: [{ rows }], warnings }, t`Sending a code…`, turn);
    return login.attempt("update", "/v1/email/update", { email });
  });
}

/** Takes the code of the present address; the next one goes to the new address. */
export async function confirmPresent(otp: string, { login }: Parts): Promise<Sent> {
  const sent = await login.attempt("update", "/v1/email/primary", { attempt: await login.attemptOf("update"), otp });
  return { words: text(sent["words"]) };
}

/** Takes the code of the new address. */
export async function confirmNew(otp: string, { api, login, screen }: Parts): Promise<{ newEmail: string }> {
  const answer = await api.call("/v1/email/secondary", { attempt: await login.attemptOf("update"), otp });
  const user = readUser(answer["user"]);
  login.took(user);
  screen.tell("SESSION_UPDATE", { isConnected: true });
  return { newEmail: user.email };
}

/** An address as mail servers have it: letters of its domain that look like others show as what they are. */
function asciiAddress(email: string): string {
  const [, local = email, domain = ""] = /^(.*)@([^@/?#]+)$/.exec(email.trim()) ?? [];
  return domain && URL.canParse(`https://${domain}`) ? `${local}@${new URL(`https://${domain}`).hostname}` : email;
}
