import type { ButtonTexts } from '../texts/texts.js';
import { button, element, setText } from '../dom/element.js';
import { icon } from '../dom/icons.js';

/** The round button: the widget's only element on the page until the panel is first opened. */
export function launcher(onclick: () => void) {
  const badge = element('span', { class: 'badge' });
  const node = button('launcher', onclick, []);
  let showsOpen: boolean | undefined;
  return {
    node,
    /** `busy`: the panel was requested and is being loaded. */
    update(unread: number, texts: ButtonTexts, open: boolean, busy: boolean) {
      const news = open ? 0 : unread;
      badge.hidden = news === 0;
      setText(badge, String(news));
      const name = open ? texts.close : texts.open;
      node.ariaLabel = news === 0 ? name : `${name}, ${texts.unread(news)}`;
      node.ariaExpanded = String(open);
      node.ariaBusy = String(busy);
      if (open === showsOpen) return;
      showsOpen = open;
      node.replaceChildren(icon(open ? 'down' : 'chat'), badge);
    },
  };
}

/*
 * Every colour is mixed from three, so that a host's theme controls all of them: accent, background and text. Custom
 * properties with `--a-` come from the theme. `--a-on-accent` is the text colour that is legible on the accent.
 */
export const buttonStyles = `
:host{all:initial!important;color-scheme:light!important;direction:ltr!important;unicode-bidi:isolate!important;display:block!important;position:fixed!important;z-index:var(--z)!important;--accent:var(--a-accent,#3355d1);--on:var(--a-on-accent,#fff);--bg:var(--a-background,#fff);--fg:var(--a-text,#1b1e25);--line:color-mix(in srgb,var(--fg) 14%,var(--bg));--edge:color-mix(in srgb,var(--fg) 54%,var(--bg));--muted:color-mix(in srgb,var(--fg) 76%,var(--bg));--soft:color-mix(in srgb,var(--fg) 5%,var(--bg));--tint:color-mix(in srgb,var(--accent) 13%,var(--bg));--bad:#b3261e;--shade:rgb(16 20 32/.16)}
:host([data-theme=dark]){--accent:var(--a-accent,#9db1ff);--on:var(--a-on-accent,#10131c);--bg:var(--a-background,#16181e);--fg:var(--a-text,#e9ebf1);--bad:#ffb4ab;--shade:rgb(0 0 0/.5);color-scheme:dark!important}
:host(:not([data-theme])){opacity:0!important}
*{box-sizing:border-box;margin:0;padding:0}
[hidden]{display:none!important}
.root{font:15px/1.5 var(--a-font,system-ui,sans-serif);color:var(--fg)}
button,input,textarea{font:inherit;color:inherit}
button{border:0;background:none;border-radius:8px;text-align:inherit}
button,summary{cursor:pointer;touch-action:manipulation}
:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
svg{width:20px;height:20px;display:block;fill:none;stroke:currentColor;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round;flex:none}
.launcher,.panel,.lost{position:fixed;right:max(20px,env(safe-area-inset-right));bottom:max(20px,env(safe-area-inset-bottom));box-shadow:0 12px 40px var(--shade),0 2px 8px var(--shade)}
.bottom-left :is(.launcher,.panel,.lost){right:auto;left:max(20px,env(safe-area-inset-left))}
.lost{bottom:88px;width:min(300px,100vw - 40px);padding:12px 16px;border-radius:12px;background:var(--bg);border:1px solid var(--line)}
.lost:empty{display:none}
.launcher{display:grid;place-items:center;width:56px;height:56px;border-radius:50%;background:var(--accent);color:var(--on);transition:transform .16s}
.launcher:hover{transform:scale(1.05)}
.launcher:focus-visible{outline:3px solid var(--on);box-shadow:0 0 0 3px var(--accent)}
.launcher svg{width:26px;height:26px}
[aria-busy=true] svg{animation:busy 1s infinite alternate}
@keyframes busy{to{opacity:.25}}
.badge,.dot:after{position:absolute;top:-3px;right:-3px;min-width:22px;padding:0 5px;border-radius:11px;background:#c5221f;color:#fff;border:2px solid var(--bg);font:600 12px/18px system-ui,sans-serif;text-align:center}
@media(prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
@media(forced-colors:active){.launcher,.badge{border:1px solid}}
@media print{:host{display:none!important}}
`;
