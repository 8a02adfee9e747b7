import type { SessionState } from '../session.js';
import { button, element, present, type Child } from '../dom/element.js';
import { icon } from '../dom/icons.js';
import { elsewhere } from '../dom/source-link.js';
import type { ViewContext } from './view-context.js';

/** The menu in the head. It is built anew each time, and also while open when the person changes or becomes known. */
export function menu({ session, texts, options, go }: ViewContext) {
  const popup = element('div', { class: 'popup', hidden: true });
  const opener = button('icon quiet menu', () => close() || open(), [icon('menu')], texts.menu);
  opener.ariaExpanded = 'false';
  const close = (): boolean => {
    if (popup.hidden) return false;
    if (popup.matches(':focus-within')) opener.focus();
    popup.hidden = true;
    opener.ariaExpanded = 'false';
    return true;
  };
  popup.addEventListener('focusout', ({ relatedTarget }) => {
    // When Tab leaves the menu, it must not cover the focused element. Without a target, it was a press: some browsers
    // focus nothing then.
    if (relatedTarget && !popup.contains(relatedTarget as Node)) close();
  });
  const items = () => [...popup.querySelectorAll<HTMLElement>('button,a')];
  popup.onkeydown = (event) => {
    const all = items();
    const at = all.findIndex((one) => one.matches(':focus'));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
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
  let madeFor: SessionState['identity'];
  const make = (): void => {
    const { identity, signedIn, notifications } = session.state;
    const { docsBaseUrl: href, userAuth } = options();
    const unread = unreadOf(notifications);
    madeFor = identity;
    popup.replaceChildren(
      ...present([
        item(newConversation, texts.newConversation),
        item(() => go('conversations'), texts.conversations),
        item(
          () => go('notifications'),
          texts.notifications,
          unread > 0 && element('span', { class: 'count' }, String(unread)),
        ),
        href && element('a', { href, ...elsewhere }, texts.help),
        signedIn && item(() => session.signOut(), texts.signOut),
        userAuth && identity?.kind === 'visitor' && item(() => go('signIn'), texts.signIn),
      ]),
    );
  };
  const open = (): void => {
    make();
    popup.hidden = false;
    opener.ariaExpanded = 'true';
    items()[0]?.focus();
  };
  return {
    opener,
    popup,
    close,
    newConversation,
    update({ notifications, identity }: SessionState) {
      opener.classList.toggle('dot', unreadOf(notifications) > 0);
      if (popup.hidden || identity === madeFor) return;
      const focused = popup.querySelector(':focus')?.textContent;
      make();
      items()
        .find((one) => one.textContent === focused)
        ?.focus();
    },
  };
}

function unreadOf(notifications: SessionState['notifications']): number {
  return notifications.filter(({ read }) => !read).length;
}
