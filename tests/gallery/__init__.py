"""The gallery in a browser: pictures against baselines, accessibility, what the kit does."""
