import { Children, type ReactNode, useEffect, useState } from "react";

type Props = {
  rows?: { name: string; icon: string }[];
  children?: ReactNode;
};

const PATIENCE_MS = 2000;
const done = new Set<string>();
const loading = new Map<string, Promise<void>>();

/** Loads a picture once for all who show it; one that fails counts as done, for what stands behind it is shown then. */
function load(url: string): Promise<void> {
  const known = loading.get(url);
  if (known) return known;
  const image = new Image();
  image.referrerPolicy = "no-referrer";
  const loaded = new Promise<void>((resolve) => {
    image.onload = image.onerror = () => {
      done.add(url);
      resolve();
    };
  });
  image.src = url;
  loading.set(url, loaded);
  return loaded;
}

/** The first child until rows and pictures are there, at most two seconds; then the second, for good: later pictures come as they load. */
export function Preloaded({ rows = [], children }: Props) {
  const known = rows.length > 0 && rows.every((row) => row.name !== "");
  const missing = rows.map((row) => row.icon).filter((icon) => icon !== "" && !done.has(icon));
  const [shown, show] = useState(known && missing.length === 0);
  const wanted = missing.join("\n");
  useEffect(() => {
    if (shown || !known) return;
    let here = true;
    const end = () => here && show(true);
    const timer = setTimeout(end, PATIENCE_MS);
    void Promise.all(wanted.split("\n").filter(Boolean).map(load)).then(end);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [shown, known, wanted]);
  const [until, then] = Children.toArray(children);
  return <>{shown ? then : until}</>;
}
