/** The fourth script: recovery passwords, who can recover the wallet, and its export. Fetched by who asks for one of them. */
export { openByPassword, removePassword, setPassword } from "./recovery_settings/password";
export { escrowOff, escrowOn } from "./recovery_settings/escrow";
export { exportWallet } from "./recovery_settings/export";
export { beExportWindow } from "./recovery_settings/export_window";
