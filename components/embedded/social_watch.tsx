import { useEffect, useState, type ReactNode } from "react";
import { ask, isThere } from "./frame";
import { closeWindow, seemsClosed } from "./social_window";

type Props = { attempt?: string; children?: ReactNode };

const LOOK_MS = 1_000;
/** So often in a row it must seem closed: one that closes by itself has its result on the way. */
const LOOKS = 3;

/** Shows `children` once the provider's window seems closed; ends the login when its view goes. */
export function SocialWatch({ attempt = "", children }: Props) {
  const [closed, setClosed] = useState(false);
  useEffect(() => {
    let looks = 0;
    setClosed(false);
    const timer = setInterval(() => {
      looks = seemsClosed() ? looks + 1 : 0;
      setClosed(looks >= LOOKS);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [attempt]);
  useEffect(
    () => () => {
      closeWindow();
      if (isThere()) ask("CANCEL_SOCIAL").catch(() => undefined);
    },
    [],
  );
  return closed ? <>{children}</> : null;
}
