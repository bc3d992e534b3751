/** The part of the modal's public interface that the demo page uses. */
export interface Request {
  readonly method: string;
  /** A list on eip155, an object elsewhere. */
  readonly params?: readonly unknown[] | Readonly<Record<string, unknown>>;
}

export interface Provider {
  request(request: Request): Promise<unknown>;
  on(event: string, listener: (payload: unknown) => void): unknown;
}

export interface Session {
  readonly token: string;
  readonly address: string;
  readonly expiresAt: string;
}

export interface Modal {
  getBalance(): { formatted: string; symbol: string } | undefined;
  subscribeBalance(callback: (value: unknown) => void): () => void;
  updateOptions(options: Readonly<Record<string, unknown>>): Promise<void>;
  signIn(): Promise<Session>;
  signOut(): Promise<void>;
  open(request?: { view?: string }): Promise<void>;
  disconnect(): Promise<void>;
  switchNetwork(caipNetworkId: string): Promise<void>;
  getAddress(): string | undefined;
  getCaipNetwork(): { name?: string; symbol?: string } | null | undefined;
  getCaipNetworkId(): string | undefined;
  getWalletInfo(): { name?: string } | undefined;
  getActiveChainNamespace(): string | undefined;
  getProvider(namespace: string): Provider | undefined;
  addNetwork(chainNamespace: string, network: Readonly<Record<string, unknown>>): Promise<void>;
  setThemeMode(mode: "dark" | "light"): void;
  setThemeVariables(variables: Readonly<Record<string, string>>): void;
  subscribeState(callback: (value: unknown) => void): () => void;
  subscribeAccount(callback: (value: unknown) => void): () => void;
  subscribeNetwork(callback: (value: unknown) => void): () => void;
  subscribeWalletInfo(callback: (value: unknown) => void): () => void;
  subscribeEvents(callback: (value: unknown) => void): () => void;
}

declare global {
  interface Window {
    WalletModal?: { create(options: Readonly<Record<string, unknown>>): Modal };
    modal?: Modal;
  }
}
