// What the frame's head script puts on the window, and what Reflex generates at build time.

interface FrameEnd {
  port: MessagePort | null;
  /** Of the page that gave the port, as the browser says it. */
  origin: string;
  queue: unknown[];
  dropped: number;
  /** Whether the server has none of the languages that the browser prefers, where the page is to be in one of them. */
  english?: Promise<boolean | undefined>;
  listen: ((data: unknown) => void) | null;
  post(type: string, payload: Record<string, unknown>, id?: string): void;
}

interface Window {
  __walletmodal: FrameEnd;
}

declare module "$/env.json" {
  const env: { PING: string };
  export default env;
}

declare module "$/utils/state" {
  export function getBackendURL(url: string): URL;
}

declare module "$/utils/context-registry" {
  /** What the compiled pages say of themselves: the events with which a socket begins. */
  export const app: { initialEvents(first?: boolean): unknown[] };
  export const eventLoop: { addEvents(events: unknown[]): void };
}

declare module "$/utils/context" {
  /** How events are added, and why the socket could not connect; empty once it has. */
  export const EventLoopContext: import("react").Context<[unknown, readonly unknown[]]>;
  export const StateStoreContext: import("react").Context<import("./bridge/store").Store>;
  export const EventLoopProvider: import("react").ComponentType<{ children: import("react").ReactNode }>;
  export const StateProvider: import("react").ComponentType<{ children: import("react").ReactNode }>;
}

declare module "react-dom" {
  import type { ReactNode, ReactPortal } from "react";
  export function createPortal(children: ReactNode, container: Element): ReactPortal;
}
