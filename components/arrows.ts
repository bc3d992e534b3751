import type { KeyboardEvent } from "react";

/** In a grid of buttons, arrows, Home and End lead the focus to another one; other keys do what they do. */
export function followArrows(event: KeyboardEvent<HTMLElement>): void {
  const from = event.target;
  if (!(from instanceof HTMLElement)) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
  const to = neighbour(buttons, from, event.key, getComputedStyle(from).direction === "rtl");
  if (!to) return;
  event.preventDefault();
  to.focus();
}

/** Where a key leads; null for other keys and at the edges. */
function neighbour(buttons: HTMLElement[], from: HTMLElement, key: string, rightToLeft: boolean): HTMLElement | null {
  const at = buttons.indexOf(from);
  if (at < 0) return null;
  const top = (button: HTMLElement | undefined): number => button?.getBoundingClientRect().top ?? 0;
  const second = buttons.findIndex((button) => top(button) > top(buttons[0]));
  const columns = second < 0 ? buttons.length : second;
  const onward = rightToLeft ? -1 : 1;
  const steps: Record<string, number> = {
    ArrowRight: onward,
    ArrowLeft: -onward,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -at,
    End: buttons.length - 1 - at,
  };
  const step = steps[key];
  return step === undefined ? null : (buttons[at + step] ?? null);
}
