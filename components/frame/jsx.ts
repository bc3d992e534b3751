// In the place of @emotion/react in what Reflex compiles: its `css` prop is an inline style here, which needs no style engine
// and makes no new rule whenever a value changes.

import { createElement, type ElementType, type ReactNode } from "react";

type Props = { css?: Record<string, unknown> } & Record<string, unknown>;

/** An element, called as Reflex's compiler calls it. The build refuses styles that only a stylesheet can say. */
export function jsx(type: ElementType, props: Props | null, ...children: ReactNode[]): ReactNode {
  if (!props?.css) return createElement(type, props, ...children);
  const { css, ...rest } = props;
  return createElement(type, { ...rest, style: css }, ...children);
}
