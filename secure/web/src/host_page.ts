/** The page in which the modal is: the browser names it, else the modal does. */
interface HostPage {
  origin: string;
  /** Whether the browser says so. */
  vouched: boolean;
}

/** Who asks; `said`: as the modal says, which counts where the browser tells nothing. */
export function askingPage(said: string): HostPage {
  const ancestors = location.ancestorOrigins;
  const host = ancestors?.length ? ancestors[ancestors.length - 1] : undefined;
  return host && host !== "null" ? { origin: host, vouched: true } : { origin: said, vouched: false };
}
