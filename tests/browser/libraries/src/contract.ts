/** The contract of the tests, in the forms that libraries want. */
export const SIGNATURES = ["error Refused(uint256 why)", "event Rang(uint256 indexed number)", "function fail() view returns (uint256)", "function ring()"];

export const ABI = [
  { type: "error", name: "Refused", inputs: [{ name: "why", type: "uint256" }] },
  { type: "event", name: "Rang", anonymous: false, inputs: [{ name: "number", type: "uint256", indexed: true }] },
  { type: "function", name: "fail", stateMutability: "view", inputs: [], outputs: [{ name: "", type: "uint256" }] },
  { type: "function", name: "ring", stateMutability: "nonpayable", inputs: [], outputs: [] },
] as const;

/** EIP-712. */
export const TYPED = {
  domain: { name: "host" },
  types: { Note: [{ name: "text", type: "string" }] },
  primaryType: "Note",
} as const;
