import type { ReactNode } from "react";
import { fetchSecure } from "./frame";
import { beginSocial, leaveForSocial, type Begun } from "./social_window";

type Props = {
  /** Origin of the secure site; "" of one that names its providers' addresses itself. */
  site?: string;
  provider?: string;
  /** The host page's address, where no window can be opened; "" elsewhere. */
  back?: string;
  children?: ReactNode;
  onBegun?: (begun: Begun) => void;
  [prop: string]: unknown;
};

/** Begins a login with an account at a provider. */
export function SocialButton({ site = "", provider = "", back = "", children, onBegun, ...rest }: Props) {
  const begin = async (): Promise<void> => onBegun?.(back ? await leaveForSocial(provider, back) : beginSocial(site, provider));
  return (
    <button type="button" {...rest} onPointerEnter={fetchSecure} onFocus={fetchSecure} onClick={() => void begin()}>
      {children}
    </button>
  );
}
