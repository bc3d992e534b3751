/** Where the secure site is, as a host's build would set it: before the client is loaded. */
declare const process: { env: Record<string, string> };

process.env["NEXT_PUBLIC_SECURE_SITE_SDK_URL"] = (window as unknown as { __secureSite: string }).__secureSite;

export {};
