import type { SessionState } from '../session.js';
import { button, element, nameButton, present, type Child } from './element.js';
import { icon } from './icons.js';
import type { ViewContext } from './view-context.js';

/** What unfolds from the head. Made anew each time, for what it offers depends on who is asking. */
export function menu({ session, texts, options, go }: ViewContext) {
  const opener = element('summary', { class: 'icon quiet menu' }, icon('menu'));
  const popup = element('div', { class: 'popup' });
  const node = element('details', {}, opener, popup);
  nameButton(opener, texts.menu);
  const close = (): boolean => {
    if (!node.open) return false;
    if (popup.matches(':focus-within')) opener.focus();
    node.open = false;
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
  node.ontoggle = () => {
    const { identity, signedIn, notifications } = session.state;
    const { docsBaseUrl: href, userAuth } = options();
    const unread = unreadOf(notifications);
    popup.replaceChildren(
      ...present([
        !!identity?.displayName && element('p', {}, texts.signedInAs(identity.displayName)),
        item(newConversation, texts.newConversation),
        item(() => go('conversations'), texts.conversations),
        item(
          () => go('notifications'),
          texts.notifications,
          unread > 0 && element('span', { class: 'count' }, String(unread)),
        ),
        href &&
          /^https?:/.test(href) &&
          element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, texts.help),
        signedIn && item(() => session.signOut(), texts.signOut),
        userAuth && identity?.kind === 'visitor' && item(() => go('signIn'), texts.signIn),
      ]),
    );
  };
  return {
    ...{ node, close, newConversation },
    update({ notifications }: SessionState) {
      opener.classList.toggle('dot', unreadOf(notifications) > 0);
    },
  };
}

export function unreadOf(notifications: SessionState['notifications']): number {
  return notifications.filter(({ read }) => !read).length;
}
