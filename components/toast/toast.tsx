import { useEffect, useState } from "react";
import { comesAhead } from "$/public/external/walletmodal/components/shell/shell/ahead";
import type { Props } from "./snackbar";

const load = () => import("./snackbar");
comesAhead(load, "");

/** Where messages are announced: it is there before the first, whose script comes with it or ahead of it. */
export function Toast(props: Props) {
  const [came, come] = useState<Awaited<ReturnType<typeof load>>>();
  useEffect(() => {
    // A message whose script does not come is lost; the next one tries again.
    if (props.message) load().then(come, () => {});
  }, [props.message]);
  return <div role="status" aria-live="polite">{came && <came.Snackbar {...props} />}</div>;
}
