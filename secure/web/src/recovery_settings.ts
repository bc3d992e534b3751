/** The fourth script: recovery passwords, and who can recover the wallet. Fetched by who changes that, or comes back by a password. */
export { openByPassword, removePassword, setPassword } from "./recovery_settings/password";
export { escrowOff, escrowOn } from "./recovery_settings/escrow";
