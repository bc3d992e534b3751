import { defineConfig } from "vitest/config";
import { networks } from "./networks.mjs";

export default defineConfig({
  define: { NETWORKS: JSON.stringify(networks) },
  // No test comes near it; a machine on which everything else runs as well is slow.
  test: { testTimeout: 60_000, setupFiles: ["tests/setup.ts"] },
});
