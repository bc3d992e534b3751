"""How a page starts in the browser, and what stands in for packages that Reflex imports; scripts/frontend/vite.config.mjs puts them together."""
