import type { ChatNotification, SessionState } from '../session.js';
import { answerText } from './answer-text.js';
import { button, element } from './element.js';
import type { ViewContext } from './view-context.js';

/** What people answered to questions that were passed on to them. */
export function notificationsPage(context: ViewContext) {
  const { session, texts } = context;
  const node = element('div', { class: 'page', tabindex: -1 });
  const none = element('p', { class: 'muted' }, texts.noNotifications);
  node.append(none);
  const buttons = new Map<number, HTMLButtonElement>();
  const add = ({ id, question, response }: ChatNotification): HTMLButtonElement => {
    const answer = answerText(context, () => undefined);
    answer.show(response);
    answer.end([]);
    const markRead = (): void => {
      session.markNotificationRead(id);
      node.focus();
    };
    const read = button('plain', markRead, [texts.markRead]);
    node.append(
      element('article', { class: 'card' }, element('h3', {}, question), answer.node, read),
    );
    buttons.set(id, read);
    return read;
  };
  return {
    node,
    update({ notifications }: SessionState) {
      none.hidden = notifications.length > 0;
      for (const one of notifications) (buttons.get(one.id) ?? add(one)).hidden = one.read;
    },
  };
}
