import type { SessionState } from '../session.js';
import { button, element } from './element.js';
import { personText } from './person.js';
import type { PageView, ViewContext } from './view-context.js';

/** What people answered to questions that were passed on to them. */
export function notificationsPage(context: ViewContext): PageView {
  const { session, texts } = context;
  const node = element('div', { class: 'page', tabindex: -1 });
  let shown: SessionState['notifications'] | undefined;
  return {
    node,
    update({ notifications }: SessionState) {
      if (notifications === shown) return;
      shown = notifications;
      const cards = notifications.map(({ id, question, response, read }) => {
        const markRead = (): void => {
          // The button goes: the focus must not fall out of the panel with it.
          node.focus();
          session.markNotificationRead(id);
        };
        return element(
          'article',
          { class: 'card' },
          element('h3', {}, question),
          personText(context, response),
          !read && button('plain', markRead, [texts.markRead]),
        );
      });
      node.replaceChildren(...(cards[0] ? cards : [texts.nothing]));
    },
  };
}
