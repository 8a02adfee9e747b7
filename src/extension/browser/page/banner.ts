import type { BannerTexts } from '../messages.js';
import { bannerStyles } from './banner-styles.js';

export interface Banner {
  remove(): void;
}

export interface BannerHooks {
  onOpen: () => void;
  onDismiss: () => void;
}

/**
 * An invitation on a host's page, and no more than that: a page can draw one as well, and nothing follows from it. It
 * stands in a closed shadow root, and only what the user does counts. Its styles need no leave of the page's policy.
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
      // At once: the browser opens a panel only while it handles the click.
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
