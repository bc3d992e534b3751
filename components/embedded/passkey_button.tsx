import type { ReactNode } from "react";
import { fetchSecure } from "./frame";

type Props = { children?: ReactNode; [prop: string]: unknown };

/** Begins a login by passkey; nothing in a browser that has none. */
export function PasskeyButton({ children, ...rest }: Props) {
  if (!("PublicKeyCredential" in window)) return null;
  return (
    <button type="button" {...rest} onPointerEnter={fetchSecure} onFocus={fetchSecure}>
      {children}
    </button>
  );
}
