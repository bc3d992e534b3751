import { type ReactNode, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";

/** Draws its children into the header's last slot, before what stands there. */
export function HeaderAction({ children }: { children?: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const slot = document.querySelector('.wm-header-slot[data-side="end"]');
    if (slot === null) return;
    const made = document.createElement("span");
    slot.prepend(made);
    setPlace(made);
    return () => made.remove();
  }, []);
  return place && createPortal(children, place);
}
