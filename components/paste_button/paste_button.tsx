import type { ReactNode } from "react";

type Props = {
  field?: string;
  limit?: number;
  className?: string;
  children?: ReactNode;
  onPasted?: (text: string) => void;
};

async function clipboardText(): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    // Not every browser lets a frame read it, and the visitor may say no.
    return "";
  }
}

export function PasteButton({ field = "", limit = 256, children, onPasted, ...rest }: Props) {
  const clicked = async (): Promise<void> => {
    const text = (await clipboardText()).trim();
    if (text) onPasted?.(text.slice(0, limit));
    document.getElementById(field)?.focus();
  };
  return (
    <button type="button" {...rest} onClick={() => void clicked()}>
      {children}
    </button>
  );
}
