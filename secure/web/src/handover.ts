/** The sixth script: the wallet for another site of the same browser. Fetched by who asks for that. */
export { openByWindow, rememberWallet } from "./handover/frame";
export { beHandoverWindow, beRememberWindow } from "./handover/window";
