/* What a machine can find out in the view that is shown about the criteria of WCAG 2.2: each function returns a sentence about each part that
   does not conform. criteria.py brings them into the page, and in its states. */
(() => {
  const CONTROL = "a[href], button, input, textarea, select, summary, [role=button], [role=tab], [role=radio], [role=switch], [role=option], [tabindex]";
  /* A field with parts beside it has the edge and the ring of the whole. */
  const FIELD = ".wm-email-field, .wm-name-field, .wm-send-box";
  const card = () => document.querySelector(".wm-card, .card");
  const seen = (part) => part.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true }) && part.getClientRects().length > 0;
  const name = (part) => {
    const text = (part.getAttribute("aria-label") || part.innerText || part.placeholder || "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `${part.tagName.toLowerCase()}.${[...part.classList].join(".")}${part.dataset.variant ? `[${part.dataset.variant}]` : ""} "${text}"`;
  };
  const pressed = (part) => (part.matches("input[type=checkbox]") ? part.closest("label") ?? part : part);
  const controls = () => [...card().querySelectorAll(CONTROL)].filter((part) => part.tabIndex >= 0 && !part.disabled && !part.closest("[inert]") && seen(part));

  /* Colours, as they are painted. */
  const brush = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = "#0000";
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], ground) => [r, g, b].map((part, at) => part * a + ground[at] * (1 - a));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const ground = (part) => {
    const layers = [];
    for (let at = part; at; at = at.parentElement) layers.unshift(rgba(getComputedStyle(at).backgroundColor));
    return layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  /* The edges of a part that are drawn as a ring. */
  const edges = (part) => [...getComputedStyle(part).boxShadow.matchAll(/(\S+\([^)]*\)|#\w+) 0px 0px 0px ([\d.]+)px/g)].filter(([, , wide]) => +wide >= 1).map(([, colour]) => rgba(colour));

  const texts = () => {
    const found = [];
    const walker = document.createTreeWalker(card(), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const part = node.parentElement;
      if (node.data.trim() && seen(part) && !part.closest(".wm-hidden, [aria-hidden=true], .wm-toast, style, script")) found.push(node);
    }
    return found;
  };
  const rectsOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  };
  /* What is to be seen of a line, in all that cuts off or scrolls. */
  const inSight = (part, rect) => {
    let { left, right, top, bottom } = rect;
    for (let at = part; at && at !== card().parentElement; at = at.parentElement) {
      const { overflowX, overflowY, display } = getComputedStyle(at);
      if (/^(inline|contents)$/.test(display)) continue;
      const box = at.getBoundingClientRect();
      if (overflowX !== "visible") [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (overflowY !== "visible") [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return right - left > 1 && bottom - top > 4 ? [{ left, right, top, bottom, height: bottom - top }] : [];
  };
  /* Whether nothing lies over all of it. */
  const open = (part) => {
    const box = part.getClientRects()[0];
    return [0.1, 0.5, 0.9].some((x) =>
      [0.1, 0.5, 0.9].some((y) => {
        const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
        return top && (part.contains(top) || top.contains(part));
      }),
    );
  };
  const scrolls = (style, axis) => /auto|scroll/.test(axis === "x" ? style.overflowX : style.overflowY);

  /* Text that an ancestor cuts off and that no scrolling brings into sight. With an ellipsis it is known that there is more. */
  const clipped = () => {
    const found = [];
    for (const node of texts()) {
      for (const rect of rectsOf(node)) {
        let cut = "";
        for (let at = node.parentElement; at && at !== card().parentElement && !cut; at = at.parentElement) {
          const style = getComputedStyle(at);
          if (style.display === "inline" || style.display === "contents") continue;
          const box = at.getBoundingClientRect();
          const hides = (axis) => /hidden|clip/.test(axis === "x" ? style.overflowX : style.overflowY);
          const ends = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
          if (scrolls(style, "y")) break;
          if (hides("x") && (rect.right > box.right + 1.5 || rect.left < box.left - 1.5)) cut = `${ends ? "ellipsis" : "cut"} at the side by ${name(at).split(" ")[0]}`;
          else if (hides("y") && (rect.bottom > box.bottom + 3 || rect.top < box.top - 3)) cut = `${ends ? "ellipsis" : "cut"} below by ${name(at).split(" ")[0]}`;
        }
        if (cut) {
          found.push(`${cut}: ${name(node.parentElement)}`);
          break;
        }
      }
    }
    return found;
  };
  const overlapping = () => {
    const all = texts().flatMap((node) => rectsOf(node).flatMap((rect) => inSight(node.parentElement, rect)).map((rect) => ({ rect, node })));
    const found = [];
    all.forEach((one, at) => {
      for (const other of all.slice(at + 1)) {
        if (one.node === other.node || one.node.parentElement === other.node.parentElement) continue;
        const wide = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
        const high = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
        if (wide > 2 && high > 0.4 * Math.min(one.rect.height, other.rect.height)) found.push(`${name(one.node.parentElement)} over ${name(other.node.parentElement)}`);
      }
    });
    return found;
  };

  let visited = new Set();

  window.wcag = {
    /* The body takes the height of a view once this is known; a card of the secure site has the height of its frame. */
    async settled() {
      const [body, view] = [".wm-body", ".wm-body-inner"].map((part) => document.querySelector(part));
      do await new Promise((resolve) => requestAnimationFrame(resolve));
      while (body && Math.abs(body.clientHeight - view.offsetHeight) > 1);
    },
    /* 1.4.10: nothing scrolls sideways. */
    sideways() {
      const found = [];
      const wide = document.scrollingElement;
      if (wide.scrollWidth > innerWidth) found.push(`the page scrolls sideways: ${wide.scrollWidth}`);
      for (const part of [card().parentElement, ...card().querySelectorAll("*")]) {
        const style = getComputedStyle(part);
        if (scrolls(style, "x") && part.scrollWidth > part.clientWidth + 1 && style.display !== "inline" && !/INPUT|TEXTAREA/.test(part.tagName)) found.push(`scrolls sideways: ${name(part)}`);
      }
      return found;
    },
    /* What can be pressed can be brought into sight. */
    reachable() {
      const found = [];
      for (const part of controls()) {
        const shown = pressed(part);
        shown.scrollIntoView({ block: "center", behavior: "instant" });
        if (!open(shown)) found.push(name(part));
      }
      return found;
    },
    clipped,
    overlapping,
    /* 2.5.8; 24 px, or so far from others that circles of 24 px do not touch. */
    targets() {
      const boxes = controls()
        .filter((part) => part !== card() && !(part.getAttribute("tabindex") && !part.matches("a, button, input, textarea, [role]")))
        .map((part) => ({ part, box: pressed(part).getBoundingClientRect() }));
      const small = ({ width, height }) => width < 23.9 || height < 23.9;
      return boxes
        .filter(({ part, box }) => {
          if (!small(box)) return false;
          const inline = getComputedStyle(part).display === "inline" && part.parentElement.innerText.trim() !== part.innerText.trim();
          const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
          return !inline && boxes.some((other) => {
            if (other.part === part) return false;
            if (small(other.box)) return Math.hypot(other.box.left + other.box.width / 2 - x, other.box.top + other.box.height / 2 - y) < 24;
            const [dx, dy] = [Math.max(other.box.left - x, 0, x - other.box.right), Math.max(other.box.top - y, 0, y - other.box.bottom)];
            return Math.hypot(dx, dy) < 12;
          });
        })
        .map(({ part, box }) => `${box.width.toFixed(0)}x${box.height.toFixed(0)}: ${name(part)}`);
    },
    /* 1.4.11: where a field begins and ends. */
    edges() {
      return [...card().querySelectorAll("input:not([type=checkbox]), textarea, .wm-checkbox-box, .wm-switch-track, [role=tab][aria-selected=true]")]
        .filter((part) => seen(part) && !part.disabled)
        .map((part) => part.closest(FIELD) ?? part)
        .flatMap((part) => {
          const [inside, outside] = [ground(part), ground(part.parentElement)];
          const best = Math.max(...[inside, ...edges(part).map((edge) => over(edge, inside))].map((edge) => contrast(edge, outside)));
          return best < 3 ? [`${best.toFixed(2)}: ${name(part)}`] : [];
        });
    },
    /* 1.4.11: pictures that say something. */
    glyphs() {
      return [...card().querySelectorAll("svg")]
        .filter((part) => seen(part) && !part.closest("button:disabled, [aria-disabled=true], .wm-visual, .wm-qr, [class*=logo], .wm-wallet-image, .wm-network-image"))
        .flatMap((part) => {
          const painted = [...part.querySelectorAll("*")].flatMap((shape) => {
            const { stroke, fill } = getComputedStyle(shape);
            return [stroke, fill].filter((paint) => paint !== "none" && !paint.startsWith("url") && rgba(paint)[3]).map((paint) => over(rgba(paint), ground(part)));
          });
          const best = Math.max(0, ...painted.map((paint) => contrast(paint, ground(part))));
          return painted.length && best < 3 ? [`${best.toFixed(2)}: svg.${part.getAttribute("class")} in ${name(part.parentElement)}`] : [];
        });
    },
    /* 2.4.7, 2.4.11, 2.4.13 of what has the focus: how many px of an indicator have 3:1 against what was there before. */
    focused() {
      const part = document.activeElement;
      const shown = part.matches("input[type=checkbox]") ? part.nextElementSibling ?? part : part.matches("input, textarea") ? part.closest(FIELD) ?? part : part;
      const style = getComputedStyle(shown);
      const [inside, outside] = [ground(shown), ground(shown.parentElement)];
      const behind = parseFloat(style.outlineOffset) < 0 ? inside : outside;
      const drawn = style.outlineStyle !== "none" && contrast(over(rgba(style.outlineColor), behind), behind) >= 3;
      const thick = drawn ? parseFloat(style.outlineWidth) : 0;
      visited.add(part);
      return { name: name(part), open: open(pressed(part)), thick, inside: card().contains(part) };
    },
    /* 2.1.1, 2.1.2: begins a round of Tab, and tells what it did not come to; of an embedded card it leads on into the page. */
    begin() {
      visited = new Set();
      (card().querySelector("h1[tabindex]") ?? card()).focus();
      return { stops: controls().length, modal: card().matches(".wm-card[role=dialog]") };
    },
    missed: () => controls().filter((part) => !visited.has(part)).map(name),
    /* 2.3.3, 2.2.2: what moves. */
    moving() {
      return document
        .getAnimations()
        .filter(({ timeline, playState, effect }) => timeline instanceof DocumentTimeline && playState === "running" && effect.getComputedTiming().duration * effect.getComputedTiming().iterations > 1)
        .filter(({ effect }) => effect.getKeyframes().some((frame) => ["transform", "translate", "scale", "rotate", "strokeDashoffset", "left", "top", "backgroundPosition", "backgroundPositionX", "width", "height"].some((key) => frame[key] !== undefined && frame[key] !== "none")))
        .map(({ animationName, effect }) => `${animationName ?? "script"}: ${name(effect.target)} ${effect.getComputedTiming().duration}`);
    },
    /* 1.3.5, 3.3.8: fields for something of the visitor's say of what kind, so that the browser can fill them in. */
    purposes() {
      return [...card().querySelectorAll("input")].filter(seen).flatMap((part) => {
        const { type, autocomplete } = part;
        const wanted = { email: /email|username/, password: /password/, tel: /tel/ }[type] ?? (part.inputMode === "numeric" && part.closest(".wm-otp") ? /one-time-code|off/ : null);
        return wanted && !wanted.test(autocomplete) ? [`autocomplete "${autocomplete}": ${name(part)}`] : [];
      });
    },
    /* 3.3.1 */
    errors() {
      return [...card().querySelectorAll("[aria-invalid=true]")].filter(seen).flatMap((part) => {
        const ids = (part.getAttribute("aria-describedby") ?? part.getAttribute("aria-errormessage") ?? "").split(" ").filter(Boolean);
        return ids.some((id) => document.getElementById(id)?.innerText.trim()) ? [] : [`no description: ${name(part)}`];
      });
    },
    /* 4.1.3: what is said in the colour of errors is announced, or belongs to a field; facts of a request are no messages. */
    announced() {
      const tones = new Set(["--wm-error-100", "--wm-error-text"].map((token) => {
        const probe = card().appendChild(document.createElement("i"));
        probe.style.color = `var(${token})`;
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      }));
      return texts()
        .map((node) => node.parentElement)
        .filter((part) => tones.has(getComputedStyle(part).color) && !part.closest("button, a, dd, .warnings, [role=status], [role=alert], [aria-live], .wm-tag, .wm-groups"))
        .filter((part) => {
          const { id } = part.closest("[id]") ?? {};
          return !id || !card().querySelector(`[aria-describedby~="${CSS.escape(id)}"], [aria-errormessage="${CSS.escape(id)}"]`);
        })
        .map(name);
    },
  };
})();
