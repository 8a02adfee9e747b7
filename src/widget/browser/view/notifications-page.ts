import type { ChatNotification, SessionState } from '../session.js';
import { answerText } from './answer-text.js';
import { element } from './element.js';
import type { ViewContext } from './view-context.js';

/** What people answered to questions that were passed on to them. */
export function notificationsPage(context: ViewContext) {
  const { session, texts } = context;
  const node = element('div', { class: 'page', tabindex: -1 });
  const none = element('p', { class: 'muted' }, {}, texts.noNotifications);
  const cards = new Map<number, ReturnType<typeof card>>();
  const card = (notification: ChatNotification) => {
    const answer = answerText(context, () => undefined);
    answer.show(notification.response);
    const read = element(
      'button',
      { type: 'button', class: 'plain' },
      {
        onclick() {
          session.markNotificationRead(notification.id);
          node.focus();
        },
      },
      texts.markRead,
    );
    const made = element(
      'article',
      { class: 'card' },
      {},
      ...[element('h3', {}, {}, notification.question), answer.node, read],
    );
    return { made, read };
  };
  return {
    node,
    update({ notifications }: SessionState) {
      none.hidden = notifications.length > 0;
      const wanted = notifications.map((notification) => {
        const known = cards.get(notification.id) ?? card(notification);
        cards.set(notification.id, known);
        known.read.hidden = notification.read;
        return known.made;
      });
      const children = [none, ...wanted];
      if (children.some((child, index) => node.children[index] !== child))
        node.replaceChildren(...children);
    },
  };
}
