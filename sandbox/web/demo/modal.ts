/** The part of the modal's public interface that the demo page uses. */
export interface Provider {
  request(request: { method: string; params?: readonly unknown[] }): Promise<unknown>;
  on(event: string, listener: (payload: unknown) => void): unknown;
}

export interface Modal {
  open(request?: { view?: string }): Promise<void>;
  disconnect(): Promise<void>;
  switchNetwork(caipNetworkId: string): Promise<void>;
  getAddress(): string | undefined;
  getCaipNetwork(): { name?: string; symbol?: string } | null | undefined;
  getCaipNetworkId(): string | undefined;
  getWalletInfo(): { name?: string } | undefined;
  getProvider(namespace: "eip155"): Provider | undefined;
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
