/** Messages that are signed as they are: their text, and whether it is a sign-in to somewhere else (EIP-4361 and its like). */
import { hex } from "../bytes";
import type { Summary } from "../cards/card";
import { t } from "../language";
import { HIDDEN_WARNING, readText, reveal } from "./texts";

const UNREADABLE = t`Nobody can read what is signed here. Some messages of this kind give away what the account owns.`;
const ABILITIES = t`It is more than a sign-in: it lets the site act in your name, as its last lines say in code.`;
const SIGN_IN = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/)?(\S{1,255}) wants you to sign in with your [\w ]{1,64} account:/;
const ANYWHERE = /wants\s+you\s+to\s+sign\s+in\s+with\s+your/i;

/** Tells what a message says; `account` is who signs, `origin` who asks. */
export function readMessage(bytes: Uint8Array, account: string, origin: string): Summary {
  const text = readText(bytes);
  if (text === null) {
    const size = bytes.length;
    const sections = [{ rows: [{ label: t`Size`, value: t`${size} bytes` }] }];
    return { title: t`Sign data`, text: `0x${hex(bytes)}`, sections, warnings: [UNREADABLE], unreadable: true };
  }
  const shown = reveal(text.replace(/\r\n/g, "\n"));
  const [title, warnings] = signIn(text, account, origin);
  if (shown !== text.replace(/\r\n/g, "\n")) warnings.push(HIDDEN_WARNING);
  // As many bytes as a hash has are one, where they are not written in words: whoever tries long enough finds one that is a text.
  const unreadable = bytes.length === 32 ? !/^[a-z .,!?]+$/i.test(text) : /^\s*(?:0x)?[0-9a-f]{64}\s*$/i.test(text);
  if (unreadable) warnings.push(UNREADABLE);
  return { title, text: shown, sections: [], warnings, ...(unreadable && { unreadable }) };
}

function signIn(text: string, account: string, origin: string): [title: string, warnings: string[]] {
  if (!ANYWHERE.test(text)) return [t`Sign a message`, []];
  const host = origin.replace(/^https?:\/\//, "");
  const who = host || t`an unknown site`;
  const found = SIGN_IN.exec(text);
  if (!found) return [t`Sign a message`, [t`It speaks of a sign-in, but is none that ${who} could make. Read it carefully.`]];
  const warnings: string[] = [];
  const domain = found[1] as string;
  const site = reveal(domain);
  if (domain.toLowerCase() !== host.toLowerCase()) {
    warnings.push(t`This signs you in to ${site}, and ${who} asks for it. Whoever gets it can act as you there.`);
  }
  const lines = text.slice(found[0].length).split("\n");
  if ((lines[1] ?? "").trim().toLowerCase() !== account.toLowerCase()) {
    warnings.push(t`It names another account than the one that signs.`);
  }
  const uri = hostOf(lines.find((line) => line.startsWith("URI: "))?.slice(5));
  if (uri && uri !== host.toLowerCase() && uri !== domain.toLowerCase()) {
    warnings.push(t`The page that it leads to is not of that site.`);
  }
  if (text.includes("- urn:recap:")) warnings.push(ABILITIES);
  return [t`Sign in to ${site}`, warnings];
}

function hostOf(uri: string | undefined): string {
  try {
    return uri ? new URL(uri).host.toLowerCase() : "";
  } catch {
    return "";
  }
}
