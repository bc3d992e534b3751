/** What the sheet shows of a sign-in: who asks, as whom and where, and the very text that is signed. */
import type { IWalletKit } from "@reown/walletkit";
import { make } from "../dom";
import { kindOf, networkName, shortened } from "./kinds";
import { type SignInChoice, type SignInRequest, messageFor, signable } from "./signing";

export interface SignInForm {
  readonly parts: readonly HTMLElement[];
  /** Undefined while nothing can be signed. */
  readonly choice: () => SignInChoice | undefined;
}

/** The choices of a sign-in, and its text, which follows them. */
export function signInForm(kit: IWalletKit, request: SignInRequest): SignInForm {
  const accounts = picks("Account", "radio", "account", kindOf("eip155")?.addresses ?? [], shortened);
  const networks = picks("Networks", "checkbox", "network", signable(request), networkName);
  const text = make("pre", { class: "detail", tabindex: "0", "data-testid": "phone-detail", "aria-label": "What is signed" });
  const more = make("p", { class: "note", "data-testid": "phone-sign-in-count" });
  const choice = (): SignInChoice | undefined => {
    const [address] = accounts.chosen();
    const chains = networks.chosen();
    return address !== undefined && chains.length > 0 ? { address, chains } : undefined;
  };
  const draw = (): void => {
    const chosen = choice();
    const [first] = chosen?.chains ?? [];
    text.textContent = chosen && first !== undefined ? messageFor(kit, request, chosen.address, first) : "Choose a network.";
    const others = (chosen?.chains.length ?? 1) - 1;
    more.textContent = others > 0 ? `And the same for ${others} more network${others > 1 ? "s" : ""}.` : "";
  };
  for (const { field } of [accounts, networks]) field.addEventListener("change", draw);
  if (signable(request).length > 0) draw();
  return { parts: [accounts.field, networks.field, text, more], choice };
}

interface Picks {
  readonly field: HTMLElement;
  readonly chosen: () => readonly string[];
}

function picks(
  legend: string,
  type: "radio" | "checkbox",
  name: string,
  values: readonly string[],
  called: (value: string) => string,
): Picks {
  const field = make("fieldset", {});
  field.append(make("legend", {}, legend));
  const boxes = values.map((value, index) => {
    const row = make("label", { class: "pick" });
    const box = make("input", { type, name: `sign-in-${name}`, value, "data-testid": `phone-sign-in-${name}-${index}` });
    box.checked = index === 0;
    row.append(box, make("span", { title: value }, called(value)));
    field.append(row);
    return box;
  });
  return { field, chosen: () => boxes.filter((box) => box.checked).map((box) => box.value) };
}
