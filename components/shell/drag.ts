const FAR = 96;
const SOME = 24;
const FAST = 0.5;
const RESISTANCE = 0.25;
const MOVE = "translate 200ms cubic-bezier(0,0,.22,1)";

/**
 * Lets a finger pull a sheet down by its header; far or fast enough, it closes. Where closing is `refused` the sheet gives way a
 * little, and comes back. Returns what ends it.
 */
export function dragToClose(card: HTMLElement, refused: () => boolean, close: () => void): () => void {
  let begun: { y: number; at: number; id: number } | null = null;
  card.style.translate = card.style.transition = "";

  const move = (pixels: string, slowly: boolean): void => {
    card.style.transition = slowly && !matchMedia("(prefers-reduced-motion: reduce)").matches ? MOVE : "";
    card.style.translate = pixels && `0 ${pixels}`;
  };
  const down = (event: PointerEvent): void => {
    const at = event.target as Element;
    if (begun || event.pointerType === "mouse" || !at.closest(".wm-header") || at.closest("button")) return;
    begun = { y: event.clientY, at: event.timeStamp, id: event.pointerId };
    card.setPointerCapture(event.pointerId);
  };
  const way = (event: PointerEvent): number => Math.max(0, event.clientY - (begun?.y ?? event.clientY));
  const drag = (event: PointerEvent): void => {
    if (begun?.id === event.pointerId) move(`${way(event) * (refused() ? RESISTANCE : 1)}px`, false);
  };
  const end = (event: PointerEvent): void => {
    if (begun?.id !== event.pointerId) return;
    const far = way(event);
    const fast = far / Math.max(1, event.timeStamp - begun.at);
    begun = null;
    const closes = event.type === "pointerup" && (far > FAR || (far > SOME && fast > FAST));
    move(closes && !refused() ? "100%" : "", true);
    if (closes) close();
  };

  card.addEventListener("pointerdown", down);
  card.addEventListener("pointermove", drag);
  card.addEventListener("pointerup", end);
  card.addEventListener("pointercancel", end);
  return () => {
    card.removeEventListener("pointerdown", down);
    card.removeEventListener("pointermove", drag);
    card.removeEventListener("pointerup", end);
    card.removeEventListener("pointercancel", end);
  };
}
