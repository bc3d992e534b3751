import { Children, type ReactNode } from "react";

type Props = { text?: string; names?: string[]; children?: ReactNode };

/** A text with children in the places of its `{name}`s. */
export function Sentence({ text = "", names = [], children }: Props) {
  const parts = Children.toArray(children);
  return <>{text.split(/\{(\w+)\}/).map((part, at) => (at % 2 ? <bdi key={part}>{parts[names.indexOf(part)]}</bdi> : part))}</>;
}
