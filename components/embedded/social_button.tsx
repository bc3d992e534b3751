import type { ReactNode } from "react";
import { fetchSecure } from "./frame";
import { beginSocial, type Begun } from "./social_window";

type Props = {
  /** Origin of the secure site; "" of one that names its providers' addresses itself. */
  site?: string;
  provider?: string;
  children?: ReactNode;
  onBegun?: (begun: Begun) => void;
  [prop: string]: unknown;
};

/** Begins a login with an account at a provider. */
export function SocialButton({ site = "", provider = "", children, onBegun, ...rest }: Props) {
  return (
    <button type="button" {...rest} onPointerEnter={fetchSecure} onFocus={fetchSecure} onClick={() => onBegun?.(beginSocial(site, provider))}>
      {children}
    </button>
  );
}
