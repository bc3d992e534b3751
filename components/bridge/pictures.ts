import { useEffect, useState } from "react";

/** Of what is larger, the host page draws its own: all that it is told has to fit into one message. */
const LARGEST = 24 * 1024;
const kept = new Map<string, string>();

function dataUrl(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(picture);
  });
}

/** A picture of ours as the host page can show it: inside the text itself, so that its policy needs no line for us. */
async function inline(path: string): Promise<string> {
  const known = kept.get(path);
  if (known !== undefined) return known;
  let found = "";
  try {
    const response = await fetch(path);
    const picture = await response.blob();
    const fits = picture.type.startsWith("image/") && picture.size <= LARGEST;
    if (response.ok && fits) found = await dataUrl(picture);
  } catch {
    // Without its picture the network or the account still has its name.
  }
  kept.set(path, found);
  return found;
}

/** A picture for the host page: ours as a data URL once it is there, others as they are. */
export function useInlined(source: string): string {
  const [shown, setShown] = useState({ source: "", picture: "" });
  const ours = source.startsWith("/");
  useEffect(() => {
    if (!ours) return;
    let current = true;
    void inline(source).then((picture) => current && setShown({ source, picture }));
    return () => {
      current = false;
    };
  }, [source, ours]);
  if (!ours) return source;
  return shown.source === source ? shown.picture : "";
}
