/**
 * The look of the host buttons (reference: tokens and `wui-*` buttons). One text, adopted by every shadow root: a style
 * sheet made by script needs no `style-src` of the host.
 *
 * `--f` is the text colour, of which all greys are a share; the elements set the colour scheme and the theme variables.
 */
const share = (percent: number, colour = "--f") => `color-mix(in srgb,var(${colour}) ${percent}%,#0000)`;
const font = (ratio: number) => `calc(var(--w3m-font-size-master,10px)*${ratio})`;
const radius = (ratio: number) => `calc(var(--w3m-border-radius-master,4px)*${ratio})`;

export const CSS =
  ":host{display:inline-block}:host([hidden]){display:none}" +
  "button{--f:light-dark(#141414,#e4e7e7);--a:var(--w3m-accent,light-dark(hsl(231 100% 70%),hsl(230 100% 67%)));all:unset;" +
  "box-sizing:border-box;display:flex;align-items:center;gap:8px;cursor:pointer;white-space:nowrap;color:var(--f);" +
  `border:1px solid ${share(10)};border-radius:${radius(20)};background:${share(5)};` +
  `font:600 ${font(1.6)}/1.3 var(--w3m-font-family,Inter,Segoe UI,Roboto,sans-serif);letter-spacing:-.04em}` +
  `button:hover{background:${share(10)}}` +
  `button:focus-visible{box-shadow:0 0 0 1px var(--a),0 0 0 4px ${share(20, "--a")}}` +
  "img,i{border-radius:50%;width:24px;height:24px;object-fit:cover}" +
  `.connect{background:var(--a);color:#fff;padding:9px 16px;border-radius:${radius(7)}}` +
  `.connect:hover{background:${share(90, "--a")}}` +
  `button[aria-disabled=true]{cursor:default;color:var(--a);background:${share(15)}}` +
  `.sm{padding:6px 10px;font-size:${font(1.4)}}` +
  ".account{padding:3px}.account>:first-child:not(.p){margin-left:5px}" +
  `.p{display:flex;align-items:center;gap:4px;background:${share(5)};border-radius:inherit;padding:5px 10px 5px 7px;color:light-dark(#636d6d,#949e9e)}` +
  ".p>:first-child{width:20px;height:20px}" +
  ".network{padding:7px 12px 7px 8px}" +
  `.n{background:${share(15)}}` +
  ".w{background:#f25a67;color:#fff;font:700 14px/24px sans-serif;text-align:center}" +
  ".s{box-sizing:border-box;width:16px;height:16px;border:2px solid;border-right-color:#0000;animation:s 1s linear infinite}" +
  "@keyframes s{to{rotate:1turn}}" +
  `@media(max-width:500px){.connect{padding:5px 12px;font-size:${font(1.4)}}.account>:not(.p){display:none}}` +
  "@media(prefers-reduced-motion){.s{animation:none}}";

export const EMBED_CSS = ":host{display:block;width:400px;max-width:100%;height:600px}";
