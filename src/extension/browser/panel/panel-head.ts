import { button, element } from '../../../widget/browser/view/element.js';
import { pageBar, settingsButton } from '../page-bar.js';
import type { ExtensionTexts } from '../texts/texts.js';

export type Side = 'chat' | 'page';

/** What stays above both sides of the panel: who is signed in, the way to the settings, and which side is shown. */
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
        pageBar(texts, email, settingsButton(texts)),
        element('div', { class: 'sides' }, sides.chat, sides.page),
      ),
    ),
    choose(side: Side) {
      for (const [name, made] of Object.entries(sides)) {
        made.setAttribute('aria-pressed', String(name === side));
      }
    },
  };
}
