// Builds the pages out of what Reflex has compiled: `vite build` in its web folder, in the place of `react-router build`.
//
// The frame is one page, and nothing of it is rendered on a server. React Router's framework mode and emotion would be a third of what a
// visitor waits for, so a page mounts itself (components/frame/mount.tsx), and small modules with the same interface stand in for packages
// that Reflex imports. A name that they do not have ends the build, and so does a style that only a style sheet can say.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const web = process.cwd();
// The web folder's own: this file lies elsewhere.
const { minifySync } = createRequire(join(web, "package.json"))("vite");
const own = resolve(import.meta.dirname, "../..");
const frame = join(web, "public/external/walletmodal/components/frame/frame");

const PAGES = {
  "index.html": { title: "Wallet", route: "_index.jsx" },
  "gallery/index.html": { title: "Gallery", route: "[gallery]._index.jsx" },
};
const SCRIPT = "/page/";

const STAND_INS = {
  "@emotion/react": "jsx.ts",
  "react-router": "router.ts",
  "universal-cookie": "cookies.ts",
};

const html = (title, head, body) => `<!DOCTYPE html>
<html lang="en" class="light" style="color-scheme: light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}</head>
<body>${body}</body>
</html>
`;

const page = ({ title, route }) =>
  html(
    title,
    `<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script>${minifySync("head.js", readFileSync(join(own, "components/bridge/head.js"), "utf8")).code}</script>
<script type="module" src="${SCRIPT}${route}"></script>
`,
    `<div id="root"></div>`,
  );

/** The documents, and the script of each, which mounts its page. */
function pages() {
  const documents = new Map(Object.entries(PAGES).map(([path, described]) => [join(web, path), page(described)]));
  return {
    name: "walletmodal-pages",
    resolveId: (id) => (id.startsWith(SCRIPT) || documents.has(id) ? id : null),
    load(id) {
      if (!id.startsWith(SCRIPT)) return documents.get(id) ?? null;
      return `import "$/styles/__reflex_global_styles.css";
import { mount } from "${frame}/mount.tsx";
import Page from "$/app/routes/${id.slice(SCRIPT.length)}";
mount(Page);`;
    },
    // Not only fetched: it runs as soon as it has come, and opens the socket.
    transformIndexHtml: {
      order: "post",
      handler: (html) => html.replace(/<link rel="modulepreload"( crossorigin) href="([^"]+\/events-[^"]+)">/, '<script type="module" async$1 src="$2"></script>'),
    },
    generateBundle() {
      // Reflex answers with it what is nowhere.
      const source = html("404 - Not Found", "", "<p>404: Page not found</p>");
      this.emitFile({ type: "asset", fileName: "__spa-fallback.html", source });
    },
  };
}

/** The stand-in for emotion knows inline styles. */
function inlineStyles() {
  const nested = /\["[^"]*[&@:][^"]*"\]\s*:\s*\(\{/;
  return {
    name: "walletmodal-inline-styles",
    transform: {
      filter: { id: /[\\/](app|app_components)[\\/].*\.jsx$/, code: nested },
      handler(code) {
        this.error(`${code.match(nested)[0]} needs a style sheet: Reflex's style argument becomes an inline style here`);
      },
    },
  };
}

/** What Reflex would evaluate raises, as it does under the frame's policy. Beside an `eval` every unused function stays. */
function withoutEval() {
  return {
    name: "walletmodal-without-eval",
    transform: {
      filter: { id: /[\\/]utils[\\/]state\.js$/ },
      handler: (code) => ({
        code: `${code.replace(/\beval\(/g, "refuseEval(")}
function refuseEval() {
  throw new EvalError("the frame's policy allows no eval");
}`,
        map: null,
      }),
    },
  };
}

/** The event socket is a websocket from its beginning: the server refuses the other transports. Their scripts are left out, which nothing imports then, but which ask the browser what it can do as they load. */
function onlyWebsockets() {
  const all = /[\\/]transports[\\/]index\.js$/;
  return {
    name: "walletmodal-only-websockets",
    transform: {
      filter: { id: /[\\/]engine\.io-client[\\/].*\.js$/ },
      handler(code, id) {
        const isList = all.test(id);
        if (isList && !/\bwebsocket: WS\b/.test(code)) this.error("engine.io-client lists its transports in another form");
        return {
          code: isList ? 'import { WS } from "./websocket.node.js";\nexport const transports = { websocket: WS };' : code,
          map: null,
          moduleSideEffects: false,
        };
      },
    },
  };
}

const BEGUN = /\/(?:events|rolldown-runtime)-/;
const ICON = /[\\/]lucide-react[\\/]/;
const LOGIN = /[\\/]components[\\/]embedded[\\/].*[\\/](?:lost_login|place_store|email_input|secure_ask|social_watch|social_window|social_button|secure_place)\.tsx?$/;
const EVENT_LOOP = join(web, "utils/context.jsx");

/** Whether a module belongs to what one module imports, and they in turn, without what is imported only when it is needed. */
function importedBy(start) {
  let found;
  const visit = (id, context) => {
    if (found.has(id)) return;
    found.add(id);
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) visit(next, context);
  };
  return (id, context) => {
    if (!found) {
      found = new Set();
      visit(start, context);
    }
    return found.has(id);
  };
}

/**
 * Two scripts instead of two dozen, each of which is a round trip where only six are fetched at a time. The event loop's is the smaller one
 * and runs as soon as it has come: Reflex opens its socket then, while the other is still on its way.
 */
function chunks() {
  const events = importedBy(EVENT_LOOP);
  const page = importedBy(`${SCRIPT}${PAGES["index.html"].route}`);
  return (id, context) => {
    if (events(id, context)) return "events";
    // What mounts a page is not among what pages share: it would be mounted on each of them.
    if (page(id, context) && !id.startsWith(SCRIPT)) return "frame";
    // A script for each icon and each field of a login would be a request for each, and a name for each in the first script.
    if (ICON.test(id)) return "icons";
    return LOGIN.test(id) ? "login" : null;
  };
}

export default {
  root: web,
  appType: "mpa",
  plugins: [pages(), inlineStyles(), withoutEval(), onlyWebsockets()],
  build: {
    outDir: "build/client",
    // What a page begins with is there whenever something is fetched later.
    modulePreload: { polyfill: false, resolveDependencies: (_, found, { hostType }) => (hostType === "html" ? found : found.filter((file) => !BEGUN.test(file))) },
    rolldownOptions: {
      input: Object.keys(PAGES).map((path) => join(web, path)),
      output: { codeSplitting: { groups: [{ name: chunks() }] } },
    },
  },
  resolve: {
    mainFields: ["browser", "module", "jsnext"],
    alias: [
      ...Object.entries(STAND_INS).map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: join(frame, file) })),
      { find: "$", replacement: `${web}/` },
      { find: "@", replacement: join(web, "public") },
    ],
  },
};
