export declare const networks: Record<string, [name: string, symbol: string]>;
