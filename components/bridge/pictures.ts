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
  try {
    const response = await fetch(path);
    const picture = await response.blob();
    const fits = picture.type.startsWith("image/") && picture.size <= LARGEST;
    return response.ok && fits ? await dataUrl(picture) : "";
  } catch {
    // Without its picture the network or the account still has its name.
    return "";
  }
}

/** A picture for the host page: others as they are, ours as a data URL, "" until it is there, when `come` is called. */
export function inlined(source: string, come: () => void): string {
  if (!source.startsWith("/")) return source;
  const known = kept.get(source);
  if (known === undefined) {
    kept.set(source, "");
    void inline(source).then((picture) => {
      kept.set(source, picture);
      come();
    });
  }
  return known ?? "";
}
