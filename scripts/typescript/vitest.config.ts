import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../../", import.meta.url));
const packages = fileURLToPath(new URL("./node_modules/", import.meta.url));

export default defineConfig({
  root,
  // The tests stand beside the others, and the packages beside the types.
  resolve: {
    alias: [
      { find: /^(react|react-dom|react\/jsx-dev-runtime|react-dom\/client|uqr|vitest|@scure\/base)$/, replacement: `${packages}$1` },
      { find: /^\$\/public\/external\/walletmodal\/components\/(\w+)\/\w+\//, replacement: `${root}components/$1/` },
    ],
  },
  server: { fs: { allow: [root] } },
  // No test comes near the time; a machine on which everything else runs as well is slow.
  test: {
    include: ["tests/components/**/*.test.ts"],
    testTimeout: 60_000,
    // A frame is played by a test double; nothing is loaded.
    environmentOptions: { happyDOM: { settings: { enableIframePageLoading: true, navigation: { disableChildFrameNavigation: true } } } },
  },
});
