import { button, element, setText } from '../../../chat/dom/element.js';
import { icon } from '../../../chat/dom/icons.js';
import { menu } from '../../../chat/view/menu.js';
import type { ViewContext } from '../../../chat/view/view-context.js';
import { pageBar } from '../options/page-bar.js';
import type { AccountLink } from '../messages.js';
import { nameOf } from '../service/links.js';
import type { ExtensionTexts } from '../texts/texts.js';

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

/** The chat's menu for both sides of the panel, with the account and the settings added. */
export function accountMenu(context: ViewContext, texts: ExtensionTexts, email: string) {
  const { session } = context;
  const items = menu(context);
  const { opener, popup, close, newConversation } = items;
  const fresh = button('icon', newConversation, [icon('add')], context.texts.newConversation);
  const linked = element('span', {});
  const who = element('p', { class: 'who muted' }, texts.signedInAs(email), linked);
  const openSettings = (): void => {
    close();
    void chrome.runtime.openOptionsPage();
  };
  const settings = button('', openSettings, [texts.settings]);
  /** The chat rebuilds its items each time. */
  const complete = (): void => {
    if (popup.hidden || who.parentNode === popup) return;
    popup.prepend(who);
    // "Sign out" stays the last item.
    popup.lastElementChild?.before(settings);
  };
  opener.addEventListener('click', complete);
  const follow = (): void => {
    items.update(session.state);
    complete();
  };
  const leave = (event: MouseEvent): void => {
    if (!node.contains(event.target as Node)) close();
  };
  document.addEventListener('click', leave);
  const unsubscribe = session.subscribe(follow);
  const node = element(
    'div',
    {
      class: 'account',
      onkeydown(event) {
        if (event.key === 'Escape' && close()) event.preventDefault();
      },
    },
    fresh,
    opener,
    popup,
  );
  follow();
  return {
    node,
    /** Shows the account that is linked on the site beside the panel; empty for none. */
    showLinked(text: string) {
      linked.textContent = text;
    },
    end() {
      document.removeEventListener('click', leave);
      unsubscribe();
    },
  };
}
