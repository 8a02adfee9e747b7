import type { ConversationItem } from '../session.js';
import { element } from './element.js';
import type { ViewContext } from './view-context.js';

/** Earlier conversations, the latest first. Asked for anew each time that it is shown. */
export function conversationsPage({ session, texts, language, go }: ViewContext): HTMLElement {
  const node = element('div', { class: 'page', 'aria-busy': 'true', tabindex: -1 });
  const say = (text: string): void =>
    node.replaceChildren(element('p', { class: 'muted', role: 'status' }, {}, text));
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const row = ({ id, title, updatedAt }: ConversationItem): HTMLElement =>
    element(
      'button',
      {
        type: 'button',
        class: 'row',
        'aria-current': id === session.state.conversationId ? 'true' : undefined,
      },
      {
        onclick() {
          session.openConversation(id);
          go('chat');
        },
      },
      title,
      element('span', { class: 'muted' }, {}, shownTime(time, updatedAt)),
    );
  say(texts.loading);
  session
    .listConversations()
    .then((conversations) => {
      if (conversations.length === 0) say(texts.noConversations);
      else node.replaceChildren(...conversations.map(row));
    })
    .catch(() => say(texts.conversationsFailed))
    .finally(() => node.removeAttribute('aria-busy'));
  return node;
}

function shownTime(format: Intl.DateTimeFormat, time: string): string {
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? '' : format.format(parsed);
}
