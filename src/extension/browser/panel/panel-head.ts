import { button, element, setText } from '../../../chat/dom/element.js';
import { pageBar } from '../options/page-bar.js';
import type { AccountLink } from '../messages.js';
import { nameOf } from '../service/links.js';
import type { ExtensionTexts } from '../texts/texts.js';
import type { accountMenu } from './account-menu.js';

export type Side = 'chat' | 'page';

/** The head above both sides of the panel: the account and its link, the menu, and the choice of the side. */
export function panelHead(
  texts: ExtensionTexts,
  email: string,
  menu: ReturnType<typeof accountMenu>,
  chosen: (side: Side) => void,
) {
  const sides: Record<Side, HTMLButtonElement> = {
    chat: button('side', () => chosen('chat'), [texts.chat]),
    page: button('side', () => chosen('page'), [texts.page]),
  };
  const who = element('p', { class: 'muted', role: 'status', title: email }, email);
  return {
    // No banner landmark, because the chat has one.
    node: element(
      'div',
      { class: 'top' },
      element(
        'nav',
        { 'aria-label': texts.name },
        pageBar(texts, who, menu.node),
        element('div', { class: 'sides' }, sides.chat, sides.page),
      ),
    ),
    choose(side: Side) {
      for (const [name, made] of Object.entries(sides)) {
        made.setAttribute('aria-pressed', String(name === side));
      }
    },
    showLink(link: AccountLink | undefined) {
      const name = link && nameOf(link);
      const linked = link && texts.linkedAs(nameOf(link), link.app_name);
      setText(who, [email, name].filter(Boolean).join(' · '));
      who.title = [email, linked].filter(Boolean).join('\n');
      menu.showLinked(linked ?? '');
    },
  };
}
