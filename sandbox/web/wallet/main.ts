/** The Sandbox Wallet: a real wallet in the demo page, for people who have none installed. */
import { announce } from "./announce";
import { Panel } from "./panel";
import { Wallet } from "./wallet";

const panel = new Panel();
const wallet = new Wallet((question) => panel.ask(question));
panel.mount(wallet);
announce(wallet);
