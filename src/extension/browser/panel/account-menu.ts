import { button, element } from '../../../chat/dom/element.js';
import { icon } from '../../../chat/dom/icons.js';
import { menu } from '../../../chat/view/menu.js';
import type { ViewContext } from '../../../chat/view/view-context.js';
import type { ExtensionTexts } from '../texts/texts.js';

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
    ...[fresh, opener, popup],
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
