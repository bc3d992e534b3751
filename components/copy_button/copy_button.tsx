import type { ReactNode } from "react";

type Props = {
  text?: string;
  title?: string;
  className?: string;
  disabled?: boolean;
  children?: ReactNode;
  onCopied?: (ok: boolean) => void;
};

/** The way of browsers that keep the clipboard from frames: a selection in a field of our own. */
function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.cssText = "position:fixed;inset:0 auto auto 0;opacity:0";
  document.body.append(field);
  field.select();
  const ok = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return ok;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

export function CopyButton({ text = "", children, onCopied, ...rest }: Props) {
  const clicked = async (): Promise<void> => onCopied?.(text !== "" && (await copy(text)));
  return (
    <button type="button" {...rest} onClick={() => void clicked()}>
      {children}
    </button>
  );
}
