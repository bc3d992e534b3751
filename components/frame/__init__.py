"""How a page starts in the browser, and what stands in for packages that Reflex imports; walletmodal/commands/frontend/vite.config.mjs puts them together."""
