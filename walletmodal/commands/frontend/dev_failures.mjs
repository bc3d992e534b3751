/** Vite's overlay shows in each open page what of the project's Python does not load, and goes once it does. */
import { readFileSync } from "node:fs";

/** `file`: what the server says of it (walletmodal/commands/dev_worker.py); it is there as long as it does not load. */
export default (file) => ({
  name: "walletmodal-failures",
  configureServer({ watcher, ws }) {
    const tell = (send) => {
      try {
        send({ type: "error", err: JSON.parse(readFileSync(file, "utf8")) });
      } catch {
        // There is none, or it is not written to its end yet, after which we hear of it again.
      }
    };
    watcher.add(file);
    watcher.on("all", (event, changed) => {
      if (changed !== file) return;
      if (event === "unlink") ws.send({ type: "full-reload" });
      else tell((payload) => ws.send(payload));
    });
    ws.on("connection", (socket) => tell((payload) => socket.send(JSON.stringify(payload))));
  },
});
