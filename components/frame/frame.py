"""Brings the modules into Reflex's web folder."""

from __future__ import annotations

import reflex as rx

for _module in ("mount.tsx", "mount.css", "jsx.ts", "router.ts", "cookies.ts"):
    rx.asset(_module, shared=True)
