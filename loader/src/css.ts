/**
 * The look of the host buttons (reference: tokens and `wui-*` buttons). One text for every shadow root.
 *
 * Greys are a translucent middle grey, which suits both themes; the elements set the colour scheme and the theme variables.
 */
const tint = (white: number, at: number) => `,color-mix(in srgb,var(--c),#fff ${white}%) ${at}%`;

export const CSS =
  ":host(:not([hidden])){display:inline-block}" +
  "button{--a:var(--w3m-accent,#5773ff);--m:var(--w3m-font-size-master,10px);" +
  "display:flex;align-items:center;gap:8px;padding:7px 12px 7px 8px;cursor:pointer;white-space:nowrap;" +
  "color:light-dark(#141414,#e4e7e7);border:1px solid #8883;border-radius:calc(var(--w3m-border-radius-master,4px)*20);background:#8882;" +
  "font:600 calc(var(--m)*1.6)/1.3 var(--w3m-font-family,Inter,sans-serif)}" +
  "button:hover{filter:brightness(.9)}" +
  "img,i{border-radius:50%;width:24px;height:24px;object-fit:cover;text-align:center;font-style:normal}" +
  ".connect{padding:9px 16px;background:var(--a);color:#fff}" +
  ".sm{padding:6px 10px;font-size:calc(var(--m)*1.4)}" +
  "[aria-disabled=true]{cursor:default;color:var(--a);background:#8882}" +
  ".account{padding:3px 3px 3px 8px}" +
  ".p{display:flex;align-items:center;gap:4px;background:#8882;border-radius:inherit;padding:5px 10px 5px 7px}" +
  ".p:first-child{margin-left:-5px}" +
  ".p>:first-child{width:20px;height:20px}" +
  ".n{background:#8884}" +
  `.c{background:radial-gradient(88% 88% at 65% 40%,#fff 1%${tint(60, 31)}${tint(30, 52)}${tint(15, 66)}${tint(0, 82)}${tint(45, 100)})}` +
  ".w{background:#f25a67;color:#fff}" +
  ".s{box-sizing:border-box;width:16px;height:16px;border:2px solid;border-right-color:#0000;animation:s 1s linear infinite}" +
  "@keyframes s{to{rotate:1turn}}" +
  "@media(max-width:500px){.connect{padding:5px 12px;font-size:calc(var(--m)*1.4)}.account>:not(.p){display:none}}" +
  "@media(prefers-reduced-motion){.s{animation:none}}";
