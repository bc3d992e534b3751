/** Recovery on a new device: the code that the recovery service mails is typed here, where no other page sees it. */
import type { Api } from "./api";
import type { Custody } from "./custody";
import { FrameError, recoveryNeeded, rejected, UNSUPPORTED } from "./errors";
import type { Login } from "./login";
import type { Screen, Turn } from "./screen";
import type { SecondScript } from "./second";
import type { User } from "./user";

export class Recovery {
  readonly #api: Api;
  readonly #login: Login;
  readonly #custody: Custody;
  readonly #screen: Screen;
  readonly #second: () => Promise<SecondScript>;

  constructor(api: Api, login: Login, custody: Custody, screen: Screen, second: () => Promise<SecondScript>) {
    this.#api = api;
    this.#login = login;
    this.#custody = custody;
    this.#screen = screen;
    this.#second = second;
  }

  /** Opens the wallet on this device; raises 4001 when the visitor cancels. */
  async run(way: string): Promise<object> {
    if (way !== "code") throw new FrameError("This way of recovery is not supported", UNSUPPORTED);
    const user = await this.#login.user();
    if (!user.wallet) throw recoveryNeeded();
    if (!(await this.#custody.holds(user))) await this.#screen.run((turn) => this.#ask(user, turn));
    return {};
  }

  async #ask(user: User, turn: Turn): Promise<void> {
    const send = async () => {
      const { retryAfter } = await this.#api.call("/v1/recovery/start");
      return typeof retryAfter === "number" ? retryAfter : 0;
    };
    const { askCode, mayTryAgain, RESEND, CANCEL } = await this.#second();
    const form = askCode(user.email, turn.signal);
    form.wait(await send());
    turn.show(form.card);
    form.input.focus({ preventScroll: true });
    for (;;) {
      const wanted = await form.next();
      // A code that is being checked ends the recovery no longer: the device may have its half already.
      if (wanted === CANCEL) throw rejected();
      try {
        if (wanted === RESEND) {
          form.wait(await send());
          form.say("A new code is on its way.");
          continue;
        }
        this.#login.took(await this.#custody.recover(user, wanted));
        return;
      } catch (error) {
        if (!(error instanceof FrameError)) throw error;
        const { reason = "", data } = error;
        const later = (data as { retryAfter?: unknown } | undefined)?.retryAfter;
        if (typeof later === "number") form.wait(later);
        if (!mayTryAgain(reason)) throw error;
        form.fail(error.message);
      }
    }
  }
}
