import { button, element } from '../../../widget/browser/view/element.js';
import type { ExtensionTexts } from '../texts/texts.js';

export type Side = 'chat' | 'page';

/** What stays above both sides of the panel: which one is shown, and the way to the settings. */
export function panelHead(texts: ExtensionTexts, chosen: (side: Side) => void) {
  const sides: Record<Side, HTMLButtonElement> = {
    chat: button('side', () => chosen('chat'), [texts.chat]),
    page: button('side', () => chosen('page'), [texts.page]),
  };
  const settings = button('side', () => void chrome.runtime.openOptionsPage(), [texts.settings]);
  return {
    // No banner of its own: the chat below it has one.
    node: element(
      'div',
      { class: 'top' },
      element(
        'nav',
        { 'aria-label': texts.name },
        element('h1', { class: 'sr' }, texts.name),
        ...[sides.chat, sides.page, settings],
      ),
    ),
    choose(side: Side) {
      for (const [name, made] of Object.entries(sides)) {
        made.setAttribute('aria-pressed', String(name === side));
      }
    },
  };
}
