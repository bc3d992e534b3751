// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Outcome, Wanted } from "../src/later/ceremony";
import { passkeyCard } from "../src/later/passkey_card";
import { useful } from "../src/later/passkeys";

const WORDS = { title: "Add a passkey", lines: [], button: "Continue" };
const CREATE: Wanted = { kind: "create", challenge: new Uint8Array(32), known: [], site: "Example", user: { id: new Uint8Array(16), name: "Ada" } };
const SECRET = new Uint8Array(32).fill(7);

/** What comes of the ceremonies, one after the other. */
let outcomes: Partial<Outcome>[] = [];

vi.mock("../src/later/ceremony", async (original) => ({
  ...(await original<object>()),
  perform: async () => ({ credential: "AQID", proof: {}, secret: null, able: false, ...outcomes.shift() }),
  forget: () => undefined,
}));

beforeEach(() => vi.stubGlobal("parent", {}));
afterEach(() => vi.unstubAllGlobals());

function open() {
  const shown = passkeyCard(WORDS, new AbortController().signal);
  const part = (name: string) => shown.card.querySelector<HTMLButtonElement>(`[data-testid=passkey-${name}]`)!;
  /** Clicks as a visitor does, once it can be clicked. */
  const goOn = async () => {
    await vi.waitFor(() => expect(part("continue").disabled).toBe(false));
    part("continue").onclick!({ isTrusted: true } as PointerEvent);
    await vi.waitFor(() => expect(outcomes.length).toBe(0));
  };
  const status = () => shown.card.querySelector("[role=status]")!.textContent;
  return { shown, part, goOn, status, error: () => part("error").textContent };
}

describe("the card on which a passkey is asked for", () => {
  it("goes on with another passkey after one that gives no secret", async () => {
    const { shown, goOn, error, status } = open();
    const used = useful(shown, CREATE);
    outcomes = [{}];
    await goOn();
    await vi.waitFor(() => expect(error()).toContain("cannot open a wallet"));
    expect(status()).toBe("");
    outcomes = [{ secret: SECRET }];
    await goOn();
    expect((await used).secret).toEqual(SECRET);
  });

  it("goes on with a passkey that gives its secret when it is used, and not when it is made", async () => {
    const { shown, goOn, status } = open();
    const used = useful(shown, CREATE);
    outcomes = [{ able: true }];
    await goOn();
    await vi.waitFor(() => expect(status()).toContain("Continue to use it once"));
    outcomes = [{ secret: SECRET }];
    await goOn();
    expect((await used).secret).toEqual(SECRET);
  });

  it("offers nothing more once a passkey was used", async () => {
    const { shown, part, goOn } = open();
    const used = useful(shown, CREATE);
    outcomes = [{ secret: SECRET }];
    await goOn();
    await used;
    expect(["continue", "cancel", "window", "instead"].filter((name) => !part(name).disabled)).toEqual([]);
  });
});
