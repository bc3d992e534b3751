import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { WALLETS_INTEGRITY: JSON.stringify("sha384-built") },
  test: {
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
