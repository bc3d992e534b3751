import "./environment";
import { make } from "../dom";
import { ICON } from "../wallet/icon";
import { Home } from "./home";
import { takeOver } from "./only";
import { part } from "./page";
import { Phone } from "./phone";
import { Sheet } from "./sheet";
import { pairingLinkIn, startKit } from "./start";

async function main(): Promise<void> {
  part<HTMLImageElement>("icon").src = ICON;
  let phone: Phone | undefined;
  await takeOver(() => {
    void phone?.kit.core.relayer.transportClose();
    showElsewhere();
  });
  // A link that led here counts once: a reload must not follow it again.
  const opened = pairingLinkIn(location.href);
  if (location.pathname !== "/phone" || location.search || location.hash) history.replaceState(null, "", "/phone");
  phone = new Phone(await startKit());
  const home = new Home(phone);
  new Sheet(phone);
  phone.recall();
  if (opened !== undefined) await home.follow(opened);
}

/** Another page runs the wallet now; this one says so, and offers to take it back. */
function showElsewhere(): void {
  const again = make("button", { type: "button", class: "main", "data-testid": "phone-take-over" }, "Use it here");
  again.addEventListener("click", () => location.reload());
  const words = make("div", { class: "home" });
  words.append(make("h1", {}, "The phone is open elsewhere"), make("p", {}, "It works in one tab at a time."), again);
  document.querySelector("main")?.replaceChildren(words);
  again.focus();
}

main().catch((error: unknown) => {
  part("status").textContent = "Not started";
  part("pair-error").textContent = `The phone could not start: ${error instanceof Error ? error.message : String(error)}`;
});
