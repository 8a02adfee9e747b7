import type { SessionState } from '../session.js';
import { element, setAttribute, type Child } from './element.js';
import { icon } from './icons.js';
import type { ViewContext } from './view-context.js';

/** A button and what it unfolds. Made anew each time, for what it offers depends on who is asking. */
export function menu({ session, texts, options, go }: ViewContext) {
  const popup = element('div', { class: 'popup', hidden: true });
  const button = element(
    'button',
    {
      ...{ type: 'button', class: 'icon quiet menu', 'aria-expanded': 'false' },
      ...{ 'aria-label': texts.menu, title: texts.menu },
    },
    { onclick: () => (popup.hidden ? open() : close()) },
    icon('menu'),
  );
  const close = (): boolean => {
    if (popup.hidden) return false;
    const held = popup.matches(':focus-within');
    popup.hidden = true;
    popup.replaceChildren();
    setAttribute(button, 'aria-expanded', 'false');
    if (held) button.focus();
    return true;
  };
  const item = (chosen: () => void, ...children: Child[]): HTMLElement =>
    element(
      'button',
      { type: 'button' },
      {
        onclick() {
          close();
          chosen();
        },
      },
      ...children,
    );
  const newConversation = (): void => {
    session.newConversation();
    go('chat');
  };
  const open = (): void => {
    const { identity, signedIn, notifications } = session.state;
    const { docsBaseUrl, userAuth } = options();
    const unread = notifications.filter(({ read }) => !read).length;
    const count = unread > 0 ? element('span', { class: 'count' }, {}, String(unread)) : undefined;
    const items = [
      identity?.displayName
        ? element('p', {}, {}, texts.signedInAs(identity.displayName))
        : undefined,
      item(newConversation, texts.newConversation),
      item(() => go('conversations'), texts.conversations),
      item(() => go('notifications'), texts.notifications, count),
      docsBaseUrl === undefined ? undefined : helpLink(docsBaseUrl),
      signedIn ? item(() => session.signOut(), texts.signOut) : undefined,
      userAuth && !signedIn && identity?.kind !== 'end_user'
        ? item(() => go('signIn'), texts.signIn)
        : undefined,
    ];
    popup.replaceChildren(...items.filter((child) => child !== undefined));
    popup.hidden = false;
    setAttribute(button, 'aria-expanded', 'true');
    popup.querySelector<HTMLElement>('button')?.focus();
  };
  const helpLink = (href: string): HTMLElement | undefined =>
    /^https?:/i.test(href)
      ? element(
          'a',
          { href, target: '_blank', rel: 'noopener noreferrer' },
          { onclick: () => void close() },
          ...[texts.help, element('span', { class: 'sr' }, {}, texts.newTab)],
        )
      : undefined;
  return {
    button,
    popup,
    close,
    newConversation,
    update({ notifications }: SessionState) {
      button.classList.toggle(
        'dot',
        notifications.some(({ read }) => !read),
      );
    },
  };
}
