import { expect, it } from "vitest";
import { ageText } from "$/public/external/walletmodal/components/age/age/age.tsx";

it.each([
  [0, "0 sec"],
  [44, "44 sec"],
  [45, "1 min"],
  [89, "1 min"],
  [90, "2 min"],
  [44 * 60, "44 min"],
  [45 * 60, "1 hr"],
  [89 * 60, "1 hr"],
  [90 * 60, "2 hrs"],
  [21 * 3600, "21 hrs"],
  [22 * 3600, "1 d"],
  [35 * 3600, "1 d"],
  [36 * 3600, "2 d"],
  [25 * 86_400, "25 d"],
])("%i seconds are %j", (seconds, text) => {
  expect(ageText(seconds)).toBe(text);
});
