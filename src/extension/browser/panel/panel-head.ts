import { button, element } from '../../../widget/browser/view/element.js';
import type { ExtensionTexts } from '../texts/texts.js';

export type Side = 'chat' | 'page';

/** What stays above both sides of the panel: which one is shown, the way to the settings, and who is signed in. */
export function panelHead(texts: ExtensionTexts, email: string, chosen: (side: Side) => void) {
  const sides: Record<Side, HTMLButtonElement> = {
    chat: button('side', () => chosen('chat'), [texts.chat]),
    page: button('side', () => chosen('page'), [texts.page]),
  };
  return {
    // No banner of its own: the buttons of the chat stand in the same line, and it has one.
    node: element(
      'div',
      { class: 'top' },
      element(
        'nav',
        { 'aria-label': texts.name },
        element('h1', { class: 'sr' }, texts.name),
        ...[sides.chat, sides.page, settingsButton(texts)],
        element('p', { class: 'muted who', title: email }, texts.signedInAs(email)),
      ),
    ),
    choose(side: Side) {
      for (const [name, made] of Object.entries(sides)) {
        made.setAttribute('aria-pressed', String(name === side));
      }
    },
  };
}

export function settingsButton({ settings }: ExtensionTexts): HTMLButtonElement {
  return button('side', () => void chrome.runtime.openOptionsPage(), [sliders()], settings);
}

function sliders(): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.ariaHidden = 'true';
  const path = document.createElementNS(space, 'path');
  path.setAttribute(
    'd',
    'M3 7h9m6 0h3M3 17h3m6 0h9M12 7a3 3 0 1 0 6 0 3 3 0 1 0-6 0M6 17a3 3 0 1 0 6 0 3 3 0 1 0-6 0',
  );
  svg.append(path);
  return svg;
}
