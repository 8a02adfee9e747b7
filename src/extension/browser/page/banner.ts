import type { BannerTexts } from '../messages.js';

/** Separate from the page's styles in both directions. */
const bannerStyles = `
:host{all:initial!important;display:block!important;position:fixed!important;top:16px!important;right:16px!important;z-index:2147483647!important;color-scheme:light dark}
.box{box-sizing:border-box;width:min(360px,calc(100vw - 32px));padding:16px;border:1px solid #c3c8d6;border-radius:12px;background:#fff;color:#1b1e25;box-shadow:0 12px 40px rgb(16 20 32/.2);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
.title,.text{margin:0}
.title{font-weight:600}
.text{margin-top:4px}
.buttons{display:flex;flex-wrap:wrap;gap:8px;margin-top:12px}
button{font:inherit;font-weight:600;font-size:14px;min-height:36px;padding:6px 14px;border-radius:8px;cursor:pointer}
.main{border:1px solid #3355d1;background:#3355d1;color:#fff}
.plain{border:1px solid #7c8294;background:none;color:inherit}
button:focus-visible{outline:2px solid #3355d1;outline-offset:2px}
@media(prefers-color-scheme:dark){
.box{background:#16181e;color:#e9ebf1;border-color:#3a3f4c}
.main{background:#9db1ff;border-color:#9db1ff;color:#10131c}
.plain{border-color:#8c92a3}
button:focus-visible{outline-color:#9db1ff}
}
@media print{:host{display:none!important}}
`;

export interface Banner {
  remove(): void;
}

export interface BannerHooks {
  onOpen: () => void;
  onDismiss: () => void;
}

/**
 * Shows an invitation on a host's page. A page can imitate it, so it grants nothing. It is in a closed shadow root, and
 * reacts only to the user. The page's content policy can't block its styles.
 */
export function showBanner(
  texts: BannerTexts,
  language: string,
  { onOpen, onDismiss }: BannerHooks,
  mode: ShadowRootMode = 'closed',
): Banner {
  const host = document.createElement('assistant-invitation');
  const shadow = host.attachShadow({ mode });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(bannerStyles);
  shadow.adoptedStyleSheets = [sheet];
  const make = (tag: string, className: string, text?: string): HTMLElement => {
    const made = document.createElement(tag);
    made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const button = (className: string, text: string, chosen: () => void): HTMLElement => {
    const made = make('button', className, text);
    made.setAttribute('type', 'button');
    made.addEventListener('click', (event) => {
      if (event.isTrusted) chosen();
    });
    return made;
  };
  const remove = (): void => host.remove();
  const dismiss = (): void => {
    remove();
    onDismiss();
  };
  const box = make('section', 'box');
  box.lang = language;
  box.setAttribute('aria-label', texts.title);
  const buttons = make('div', 'buttons');
  buttons.append(
    button('main', texts.open, () => {
      // Call it immediately: the browser opens a panel only while it handles the click.
      onOpen();
      remove();
    }),
    button('plain', texts.dismiss, dismiss),
  );
  const title = make('p', 'title', texts.title);
  box.append(title, make('p', 'text', texts.invitation), buttons);
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && event.isTrusted) dismiss();
  });
  shadow.append(box);
  document.documentElement.append(host);
  return { remove };
}
