// @vitest-environment happy-dom
import { act, createElement as element, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OwnPart } from "$/public/external/walletmodal/components/own_part/own_part/own_part.tsx";

let raises = true;
let told: unknown[] = [];
let root: Root;

function Own(): ReactNode {
  if (raises) throw new Error("no points");
  return element("p", null, "points");
}

async function shown(props: Record<string, unknown>, ...ours: ReactNode[]): Promise<string> {
  const children = [element(Own, { key: "own" }), ...ours];
  await act(async () => root.render(element(OwnPart, props, ...children)));
  return document.body.textContent ?? "";
}

beforeEach(() => {
  raises = true;
  told = [];
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("reportError", (error: unknown) => told.push(error));
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("shows a part that does not raise, and nothing of ours", async () => {
  raises = false;
  expect(await shown({}, "ours")).toBe("points");
});

it("says in development what raised, and where", async () => {
  const text = await shown({ what: "view Loyalty", source: "loyalty.py:12" }, "ours");
  expect(text).toContain("view Loyalty raised");
  expect(text).toContain("loyalty.py:12");
  expect(text).toContain("no points");
});

it("shows visitors ours in the place of a view that raises", async () => {
  expect(await shown({}, "ours")).toBe("ours");
});

it("shows visitors a sentence where there is none of ours, and not what raised", async () => {
  const text = await shown({});
  expect(text).toContain("could not be shown");
  expect(text).not.toContain("no points");
});

it("reports what raised", async () => {
  await shown({});
  expect(told).toMatchObject([{ message: "no points" }]);
});

it("tries again when asked to", async () => {
  await shown({});
  raises = false;
  await act(async () => document.querySelector("button")?.click());
  expect(document.body.textContent).toBe("points");
});
