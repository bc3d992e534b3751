/** The second script: the cards, and what reads requests. Fetched when a wallet is open, and by the window of its own. */
export { askCode, CANCEL, mayTryAgain, RESEND } from "./cards/code_form";
export { askConsent } from "./cards/consent";
export { askInWindow, beWindow } from "./cards/window";
export { METHODS, readRequest, READS } from "./requests";
export { answerRead, answerRequest } from "./requests/answer";
