/** Another email address: a code from the present one, then one from the new one. */
import type { DataObject } from "../clean";
import type { Parts } from "../frame";
import { readUser } from "../user";

/** Sends a code to the present address; raises 4100 when nobody is signed in. */
export async function begin(email: string, { login }: Parts): Promise<DataObject> {
  await login.user();
  return login.attempt("update", "/v1/email/update", { email });
}

/** Takes the code of the present address; the next one goes to the new address. */
export async function confirmPresent(otp: string, { login }: Parts): Promise<void> {
  await login.attempt("update", "/v1/email/primary", { attempt: await login.attemptOf("update"), otp });
}

/** Takes the code of the new address. */
export async function confirmNew(otp: string, { api, login }: Parts): Promise<{ newEmail: string }> {
  const answer = await api.call("/v1/email/secondary", { attempt: await login.attemptOf("update"), otp });
  const user = readUser(answer["user"]);
  login.took(user);
  return { newEmail: user.email };
}
