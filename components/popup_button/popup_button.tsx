import type { ReactNode } from "react";
import { openPopup } from "../popup";

type Props = {
  href?: string;
  width?: number;
  height?: number;
  className?: string;
  disabled?: boolean;
  children?: ReactNode;
  onOpened?: (ok: boolean) => void;
};

export function PopupButton({ href = "", width = 600, height = 800, disabled, children, onOpened, ...rest }: Props) {
  return (
    <button type="button" {...rest} disabled={disabled || !href} onClick={() => onOpened?.(openPopup(href, width, height) !== null)}>
      {children}
    </button>
  );
}
