/** Waiting for what happens elsewhere: in a mail, in a window, in an app on a phone. */
import type { DataObject } from "../clean";
import { aborted, isFrameError } from "../errors";
import type { Parts } from "../frame";

type Waiting = Pick<Parts, "api" | "login">;

const WAIT_TIMEOUT = 45_000;
/** After these the same call may well succeed. */
const AGAIN = ["unreachable", "timeout", "node"];

/** Waits until this device is approved by the link in the mail, however long that takes. */
export async function approved(parts: Waiting): Promise<void> {
  parts.login.cancel();
  await waitFor(parts, "/v1/login/device", { attempt: await parts.login.attemptOf("login") }, (answer) => answer["approved"] === true);
}

/** Calls `path` until its answer is `settled`, however long that takes; whatever begins or ends a login ends the waiting. */
export async function waitFor({ api, login }: Waiting, path: string, body: object, settled: (answer: DataObject) => boolean): Promise<DataObject> {
  const signal = login.waits();
  for (let pause = 0; ; ) {
    try {
      const answer = await api.call(path, body, { timeout: WAIT_TIMEOUT, signal });
      if (settled(answer)) return answer;
      pause = 0;
    } catch (error) {
      if (signal.aborted) throw aborted();
      if (!isFrameError(error) || !AGAIN.includes(error.reason!)) throw error;
      pause = Math.min(pause + 1000, 10_000);
    }
    if (pause) await new Promise((resolve) => setTimeout(resolve, pause));
    if (signal.aborted) throw aborted();
  }
}
