import type { SessionState } from '../session.js';
import { button, element, type Child } from './element.js';
import { icon } from './icons.js';
import type { ViewContext } from './view-context.js';

/** A button and what it unfolds. Made anew each time, for what it offers depends on who is asking. */
export function menu({ session, texts, options, go }: ViewContext) {
  const popup = element('div', { class: 'popup', hidden: true });
  const opener = button(
    'icon quiet menu',
    () => {
      if (!close()) open();
    },
    [icon('menu')],
    texts.menu,
  );
  opener.ariaExpanded = 'false';
  const close = (): boolean => {
    if (popup.hidden) return false;
    if (popup.matches(':focus-within')) opener.focus();
    popup.hidden = true;
    opener.ariaExpanded = 'false';
    return true;
  };
  const item = (chosen: () => void, ...children: Child[]): HTMLElement =>
    button(
      '',
      () => {
        close();
        chosen();
      },
      children,
    );
  const newConversation = (): void => {
    session.newConversation();
    go('chat');
  };
  const open = (): void => {
    const { identity, signedIn, notifications } = session.state;
    const { docsBaseUrl: href = '', userAuth } = options();
    const unread = unreadOf(notifications);
    const count = unread > 0 ? element('span', { class: 'count' }, String(unread)) : undefined;
    const name = identity?.displayName;
    const items = [
      name ? element('p', {}, texts.signedInAs(name)) : undefined,
      item(newConversation, texts.newConversation),
      item(() => go('conversations'), texts.conversations),
      item(() => go('notifications'), texts.notifications, count),
      /^https?:/i.test(href)
        ? element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, texts.help)
        : undefined,
      signedIn ? item(() => session.signOut(), texts.signOut) : undefined,
      userAuth && identity?.kind === 'visitor' ? item(() => go('signIn'), texts.signIn) : undefined,
    ];
    popup.replaceChildren(...items.filter((one) => one !== undefined));
    popup.hidden = false;
    opener.ariaExpanded = 'true';
    popup.querySelector('button')?.focus();
  };
  return {
    ...{ opener, popup, close, newConversation },
    update({ notifications }: SessionState) {
      opener.classList.toggle('dot', unreadOf(notifications) > 0);
    },
  };
}

function unreadOf(notifications: SessionState['notifications']): number {
  return notifications.filter(({ read }) => !read).length;
}
