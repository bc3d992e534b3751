import { useEffect } from "react";
import env from "$/env.json";
import { getBackendURL } from "$/utils/state";
import { showIn } from "./switch_language";

/** For a page without a host: shows it in the language that its address names, `#locale=de`. */
export function PageLanguage() {
  useEffect(() => {
    const locales = window.location.hash.split("=")[1];
    if (locales) void showIn(locales, new URL("/v1/texts", getBackendURL(env.PING).href));
  }, []);
  return null;
}
