/** esbuild hands style sheets over as text (loader `text`). */
declare module "*.css" {
  const text: string;
  export default text;
}
