/** The frame provider of Reown AppKit 1.7, unchanged, as a host page has it: `window.reference`. The page names the secure site before. */
import "./site";
import { W3mFrameProvider } from "@reown/appkit-wallet";

declare global {
  interface Window {
    reference: W3mFrameProvider;
  }
}

window.reference = new W3mFrameProvider({ projectId: "tests", chainId: "eip155:1", enableLogger: false, onTimeout: () => undefined });
