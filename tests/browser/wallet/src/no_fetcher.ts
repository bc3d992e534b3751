/** In the place of the package micro-ftch, see `build.mjs`. */
export default function fetcher(): never {
  throw new Error("the test wallet has no fetcher for Node");
}
