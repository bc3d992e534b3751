/** The wallet's name and sign: a spade in a sandbox, our own drawing. */
export const NAME = "Sandbox Wallet";

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" rx="22" fill="#1d1a16"/><path d="M14 66c9-7 17-7 25-2s18 5 26-1 12-6 17-3v8a14 14 0 0 1-14 14H28a14 14 0 0 1-14-14z" fill="#f2c14e"/><path d="M14 72c9-5 17-5 25-1s18 4 26 0 12-5 17-2" fill="none" stroke="#d99a2b" stroke-width="3" stroke-linecap="round"/><path d="M63 17l10 10M68 22L49 41" fill="none" stroke="#f6e7c8" stroke-width="7" stroke-linecap="round"/><path d="M40 36l15 15-9 10c-5 5-12 6-18 3-3-6-2-13 3-18z" fill="#ff7a59"/></svg>`;

export const ICON = `data:image/svg+xml,${encodeURIComponent(DRAWING)}`;

/** The same in the form that the Wallet Standard asks for. */
export const STANDARD_ICON = `data:image/svg+xml;base64,${btoa(DRAWING)}` as const;
