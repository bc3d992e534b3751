import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { WALLETS_INTEGRITY: JSON.stringify("sha384-built"), ONRAMP_INTEGRITY: JSON.stringify("sha384-onramp") },
  test: {
    // No test comes near it; a machine on which everything else runs as well is slow.
    testTimeout: 60_000,
    // A quarter less processor time than processes take.
    pool: "threads",
    environment: "happy-dom",
    environmentOptions: {
      happyDOM: {
        url: "https://host.example/shop",
        // The frame is played by a test double; nothing is loaded.
        settings: { enableIframePageLoading: true, navigation: { disableChildFrameNavigation: true } },
      },
    },
  },
});
