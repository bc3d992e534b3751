// @vitest-environment happy-dom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PairingAhead } from "$/public/external/components/pairing/pairing/pairing_ahead.tsx";
import { PairingQR } from "$/public/external/components/pairing/pairing/pairing_qr.tsx";
import { SLOW_RELAY } from "$/public/external/components/pairing/pairing/slow.ts";
import { IDLE, showPairing } from "$/public/external/components/pairing/pairing/store.ts";
