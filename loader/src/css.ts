/**
 * The look of the host buttons (reference: tokens and `wui-*` buttons). One text for every shadow root.
 *
 * Greys are a translucent middle grey, which suits both themes; the elements set the colour scheme and the theme variables.
 * The avatar is the colour of the address under a veil of white, which makes its tints. Every byte counts here: `zoom` makes the small sizes, and the pill in the account button looks like a button.
 */
export const CSS =
  ":host(:not([hidden])){display:inline-block;vertical-align:middle}" +
  "button,.p{display:flex;align-items:center;gap:6px;padding-block:6px;padding-inline:8px 10px;" +
  "border:1px solid #8883;border-radius:calc(clamp(0px,var(--w3m-border-radius-master,4px),10px)*20);background:#8882;color:light-dark(#141414,#e4e7e7);" +
  "font:600 calc(clamp(8px,var(--w3m-font-size-master,10px),14px)*1.6)/1.3 var(--w3m-font-family,Inter,sans-serif);cursor:pointer;white-space:nowrap}" +
  "button:hover{filter:brightness(.9)}" +
  ".account{padding-block:3px;padding-inline:8px 3px}" +
  ".p:first-child{margin-inline-start:-5px}" +
  "img,i{width:24px;height:24px;border-radius:50%;object-fit:cover}" +
  ".p>:first-child:not(.s){width:20px;height:20px}" +
  ".connect{--a:color-mix(in srgb,var(--w3m-accent,#5773ff)85%,#000);background:var(--a);color:#fff;padding:9px 16px}" +
  // White where the accent's luminance leaves it 4.5:1, else black.
  "@supports(color:rgb(from red r g b)){.connect{--l:clamp(0,(.18 - .2126*r - .7152*g - .0722*b)*9999,1);" +
  "color:color(from var(--a)srgb-linear var(--l)var(--l)var(--l)/1)}}" +
  "[aria-disabled=true]{background:#8883;color:inherit;cursor:default}" +
  ".sm{zoom:.875}" +
  ".n{background:#8886}" +
  ".w{background:#f25a67}" +
  ".c{background:radial-gradient(88% 88% at 65% 40%,#fff 1%,#fff9 31%,#fff5 52%,#fff0 82%,#fff7)}" +
  ".s{width:12px;height:12px;border:2px solid;border-right-color:#0000;animation:s 1s linear infinite}" +
  "@keyframes s{to{rotate:1turn}}" +
  "@media(max-width:500px){.connect{zoom:.875}.account>:not(.p){display:none}}" +
  "@media(prefers-reduced-motion){.s{animation:none}}";
