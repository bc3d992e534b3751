// @vitest-environment happy-dom
import { act, createElement, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EmailInput } from "$/public/external/walletmodal/components/embedded/embedded/email_input.tsx";
import { OtpInput } from "$/public/external/walletmodal/components/embedded/embedded/otp_input.tsx";
import { ask } from "$/public/external/walletmodal/components/embedded/embedded/frame.ts";
import { Resend } from "$/public/external/walletmodal/components/embedded/embedded/resend.tsx";
import { SecureAsk, SLOW_MS } from "$/public/external/walletmodal/components/embedded/embedded/secure_ask.tsx";
import { ORIGIN, Secure } from "./secure";

let place: HTMLElement;
let root: Root;
let secure: Secure;

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => {
    queueMicrotask(run);
    return 0;
  });
  secure = new Secure();
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  secure.end();
  vi.useRealTimers();
});

const show = (what: ReactNode): void => act(() => root.render(what));
const fields = (): HTMLInputElement[] => [...place.querySelectorAll("input")];
const find = (id: string): HTMLElement | null => place.querySelector(`[data-testid="${id}"]`);
const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;

function type(field: HTMLInputElement, text: string): void {
  act(() => {
    set.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
const press = (field: HTMLElement, key: string): void => act(() => void field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));

describe("the field for an address", () => {
  const submitted = vi.fn();
  const shown = (props: object = {}): HTMLInputElement => {
    submitted.mockClear();
    show(createElement(EmailInput, { onSubmit: submitted, ...props }));
    return fields()[0]!;
  };

  it.each([
    ["kim", false],
    ["  kim  ", false],
    ["kim@", true],
  ])("has its button for %j: %s", (text, there) => {
    type(shown(), text);
    expect(find("email-submit") !== null).toBe(there);
  });

  it("gives the address without the blanks around it, by the button and by Enter", () => {
    const field = shown();
    type(field, " kim@example.org ");
    act(() => find("email-submit")!.click());
    press(field, "Enter");
    expect(submitted.mock.calls).toEqual([["kim@example.org"], ["kim@example.org"]]);
  });

  it("gives nothing while it is busy", () => {
    const field = shown({ busy: true, value: "kim@example.org" });
    press(field, "Enter");
    expect([submitted.mock.calls, find("email-submit"), field.readOnly]).toEqual([[], null, true]);
  });

  it("that changes an address saves another one alone", () => {
    const field = shown({ edits: true, value: "kim@example.org" });
    const save = find("email-save") as HTMLButtonElement;
    const states = ["kim@example.org", " kim@example.org ", "kim", "lee@example.org"].map((text) => {
      type(field, text);
      return save.disabled;
    });
    act(() => save.click());
    press(field, "Enter");
    expect(states).toEqual([true, true, true, false]);
    expect([submitted.mock.calls, find("email-submit")]).toEqual([[["lee@example.org"], ["lee@example.org"]], null]);
  });

  it("says what is wrong with the address", () => {
    const field = shown({ error: "Invalid email. Try again." });
    expect([find("email-error")!.textContent, field.getAttribute("aria-invalid")]).toEqual(["Invalid email. Try again.", "true"]);
  });

  it("fetches the frame once it has the focus", async () => {
    const focused = vi.fn();
    const field = shown({ onFocused: focused });
    const before = secure.element;
    act(() => field.focus());
    await vi.waitFor(() => expect(secure.element).not.toBeNull());
    expect([before, focused.mock.calls.length]).toEqual([null, 1]);
  });
});

describe("six boxes", () => {
  const outcome = vi.fn();
  const shown = (props: object = {}): HTMLInputElement[] => {
    outcome.mockClear();
    show(createElement(OtpInput, { onOutcome: outcome, ...props }));
    return fields();
  };
  const code = (): string => fields().map(({ value }) => value).join("");
  const enter = (text: string): void => [...text].forEach((digit, at) => type(fields()[at]!, digit));
  const paste = (field: HTMLElement, text: string): void =>
    act(() => void field.dispatchEvent(Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData: { getData: () => text } })));

  it("are open one after the other, and the first has the focus", () => {
    const boxes = shown();
    expect([boxes.map(({ disabled }) => disabled), document.activeElement]).toEqual([[false, true, true, true, true, true], boxes[0]]);
  });

  const ADDRESSES = { eip155: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", solana: "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv" };
  /** The sixth digit is there, and the code was right. */
  async function accepted(props: object = {}): Promise<void> {
    shown(props);
    enter("123456");
    await secure.start();
    await secure.answer("CONNECT_OTP", {});
  }

  it("give the whole code to the frame with the sixth digit, and tell nothing but that it was right", async () => {
    await accepted();
    expect((await secure.question("CONNECT_OTP")).payload).toEqual({ otp: "123456" });
    await secure.answer("GET_USER", { addresses: ADDRESSES });
    await vi.waitFor(() => expect(outcome.mock.calls).toEqual([[{ ok: true, message: "", reason: "", words: "", told: true }]]));
  });

  it("give it before they are drawn as busy, where the frame is ready", async () => {
    shown();
    const asked = ask("IS_CONNECTED");
    await secure.start();
    await secure.answer("IS_CONNECTED", {});
    await asked;
    const busy: unknown[] = [];
    const posting = vi.spyOn(Object.getPrototypeOf(secure.port!) as MessagePort, "postMessage").mockImplementation(() => busy.push(find("wui-otp-input")!.getAttribute("aria-busy")));
    enter("123456");
    posting.mockRestore();
    expect([busy, find("wui-otp-input")!.getAttribute("aria-busy")]).toEqual([["false"], "true"]);
  });

  it("tell the loader the accounts before the server hears of the code", async () => {
    const told: string[] = [];
    await accepted({ onOutcome: () => told.push(...secure.posted.map(([type]) => type)) });
    await secure.answer("GET_USER", { addresses: ADDRESSES });
    await vi.waitFor(() => expect(told).toEqual(["sessions"]));
  });

  it("are not drawn once more before the server has led on, and can be typed into where it has not", async () => {
    await accepted();
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    await secure.answer("GET_USER", { addresses: ADDRESSES });
    await vi.waitFor(() => expect(outcome).toHaveBeenCalledOnce());
    const busy = () => find("wui-otp-input")!.getAttribute("aria-busy");
    const before = busy();
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect([before, busy()]).toEqual(["true", "false"]);
  });

  it("ask for no accounts that came with the answer", async () => {
    shown();
    enter("123456");
    await secure.start();
    await secure.answer("CONNECT_OTP", { addresses: ADDRESSES });
    await vi.waitFor(() => expect(outcome).toHaveBeenCalledWith({ ok: true, message: "", reason: "", words: "", told: true }));
    expect(secure.asked.map(({ type }) => type)).not.toContain("@w3m-app/GET_USER");
  });

  it("say that the code was right also where the accounts do not come", async () => {
    await accepted();
    await secure.refuse("GET_USER", { message: "No key here", reason: "recovery_needed" });
    await vi.waitFor(() => expect(outcome.mock.calls).toEqual([[{ ok: true, message: "", reason: "", words: "", told: false }]]));
    expect(secure.posted).toEqual([]);
  });

  it("are empty after a wrong code, and say why until something is typed", async () => {
    shown();
    enter("123456");
    await secure.start();
    await secure.refuse("CONNECT_OTP", { message: "Invalid code", reason: "invalid_code" });
    await vi.waitFor(() => expect(outcome.mock.calls).toEqual([[{ ok: false, message: "Invalid code", reason: "invalid_code", words: "", told: false }]]));
    await vi.waitFor(() => expect(code()).toBe(""));
    show(createElement(OtpInput, { error: "Invalid code. Try Again" }));
    const said = find("otp-error")!.textContent;
    enter("1");
    expect([said, find("otp-error")!.textContent]).toEqual(["Invalid code. Try Again", ""]);
  });

  it.each([
    ["a whole code", "123456", "123456"],
    ["a code with blanks", " 123 456 ", "123456"],
    ["a part", "12", "12"],
    ["no digits", "abc", ""],
    ["more than a code", "1234567", "123456"],
  ])("take %s that is pasted", (_, text, expected) => {
    paste(shown()[0]!, text);
    expect(code()).toBe(expected);
  });

  it("take a whole code that the browser fills into the first", () => {
    type(shown()[0]!, "654321");
    expect(code()).toBe("654321");
  });

  it("leave out what is no digit", () => {
    type(shown()[0]!, "x");
    expect(code()).toBe("");
  });

  it("go back with Backspace: the digit here first, then the one before", () => {
    shown();
    enter("12");
    press(fields()[2]!, "Backspace");
    const once = code();
    press(fields()[0]!, "Backspace");
    expect([once, code()]).toEqual(["1", ""]);
  });

  it("are walked by arrows, as far as they are filled", async () => {
    shown();
    enter("12");
    act(() => fields()[2]!.focus());
    press(fields()[2]!, "ArrowRight");
    const right = document.activeElement;
    press(fields()[2]!, "ArrowLeft");
    expect([right, document.activeElement]).toEqual([fields()[2], fields()[1]]);
  });

  it("ask with another question for another code", async () => {
    shown({ type: "UPDATE_EMAIL_PRIMARY_OTP" });
    enter("123456");
    await secure.start();
    expect((await secure.question("UPDATE_EMAIL_PRIMARY_OTP")).payload).toEqual({ otp: "123456" });
  });
});

describe("another mail", () => {
  it("can be asked for when its time has come, counted down", () => {
    vi.useFakeTimers();
    const again = vi.fn();
    show(createElement(Resend, { sent: "a", seconds: 30, onResend: again }));
    const button = find("otp-resend") as HTMLButtonElement;
    const first = [button.textContent, button.disabled];
    act(() => void vi.advanceTimersByTime(29_000));
    const late = button.textContent;
    act(() => void vi.advanceTimersByTime(1_000));
    act(() => button.click());
    expect([first, late, button.textContent, again.mock.calls.length]).toEqual([["Resend in 30s", true], "Resend in 1s", "Resend Code", 1]);
  });

  it("is not waited for anew by who comes back to the view", () => {
    vi.useFakeTimers();
    show(createElement(Resend, { sent: "b", seconds: 30 }));
    act(() => void vi.advanceTimersByTime(20_000));
    show(null);
    show(createElement(Resend, { sent: "b", seconds: 30 }));
    expect(find("otp-resend")!.textContent).toBe("Resend in 10s");
  });
});

describe("what the server asks of the frame", () => {
  const question = (id: string) => ({ id, type: "CONNECT_EMAIL", payload: { email: "kim@example.org" } });

  it("is asked once, and told again to a server that has lost its socket", async () => {
    const answered = vi.fn();
    const asks = (sync: string): void => show(createElement(SecureAsk, { question: question("q1"), sync, onAnswer: answered }));
    asks("1");
    await secure.start();
    await secure.answer("CONNECT_EMAIL", { action: "VERIFY_OTP" });
    const told = { id: "q1", ok: true, value: { action: "VERIFY_OTP" }, error: null };
    await vi.waitFor(() => expect(answered.mock.calls).toEqual([[told]]));
    asks("2");
    await vi.waitFor(() => expect(answered.mock.calls).toEqual([[told], [told]]));
    expect(secure.asked.filter((one) => one.type.endsWith("CONNECT_EMAIL"))).toHaveLength(1);
  });

  it("is told what went wrong", async () => {
    const answered = vi.fn();
    show(createElement(SecureAsk, { question: question("q2"), onAnswer: answered }));
    await secure.start();
    await secure.refuse("CONNECT_EMAIL", { message: "Please try again after 12 seconds", reason: "cooldown" });
    const error = { code: -32603, message: "Please try again after 12 seconds", reason: "cooldown" };
    await vi.waitFor(() => expect(answered.mock.calls).toEqual([[{ id: "q2", ok: false, value: null, error }]]));
  });

  describe("and answered late", () => {
    const SLOW = "It takes longer than usual.";
    const waits = async (answered: (outcome: unknown) => void, id: string): Promise<void> => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      show(createElement(SecureAsk, { question: question(id), slow: SLOW, onAnswer: answered }));
      await vi.waitFor(() => expect(secure.element).not.toBeNull());
      act(() => void vi.advanceTimersByTime(SLOW_MS));
      vi.useRealTimers();
    };
    const retry = (): void => act(() => find("secure-retry")!.click());

    it("is said to be so, and counts all the same", async () => {
      const answered = vi.fn();
      await waits(answered, "q4");
      expect(find("secure-slow")!.textContent).toBe(`${SLOW}Try again`);
      await secure.start();
      await secure.answer("CONNECT_EMAIL", { action: "VERIFY_OTP" });
      await vi.waitFor(() => expect(answered).toHaveBeenCalledOnce());
      await vi.waitFor(() => expect(find("secure-slow")).toBeNull());
    });

    it("is asked once by a page that is loaded anew where none has come", async () => {
      const answered = vi.fn();
      await waits(answered, "q5");
      const loads = vi.spyOn(secure.element, "src", "set");
      retry();
      expect([loads.mock.calls, find("secure-slow")]).toEqual([[[`${ORIGIN}/sdk`]], null]);
      await secure.start();
      await secure.answer("CONNECT_EMAIL", { action: "VERIFY_OTP" });
      await vi.waitFor(() => expect(answered).toHaveBeenCalledOnce());
      expect(secure.asked.filter((one) => one.type.endsWith("CONNECT_EMAIL"))).toHaveLength(1);
    });

    it("is waited for where a page is there, which has been asked", async () => {
      const shown = (): void => show(createElement(SecureAsk, { question: question("q6"), slow: SLOW }));
      shown();
      await secure.start();
      await secure.question("CONNECT_EMAIL");
      show(null);
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      shown();
      act(() => void vi.advanceTimersByTime(SLOW_MS));
      expect([find("secure-slow")!.textContent, find("secure-retry")]).toEqual([SLOW, null]);
    });
  });

  it("is taken back when its view has gone, where a person is asked", async () => {
    show(createElement(SecureAsk, { question: { id: "q3", type: "RECOVERY", payload: { way: "code" } } }));
    await secure.start();
    await secure.question("RECOVERY");
    show(null);
    await secure.question("RPC_ABORT");
  });
});
