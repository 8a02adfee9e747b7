import { button, element } from './element.js';
import { timeText } from './time-text.js';
import type { PageView, ViewContext } from './view-context.js';

/** Earlier conversations, the latest first. Asked for anew each time that it is shown. */
export function conversationsPage({ session, texts, language, go }: ViewContext): PageView {
  const node = element('div', { class: 'page', tabindex: -1 });
  const say = (text: string): void => {
    node.textContent = text;
  };
  const show = async (): Promise<void> => {
    say(texts.loading);
    try {
      const conversations = await session.listConversations();
      if (conversations.length === 0) say(texts.noConversations);
      else
        node.replaceChildren(
          ...conversations.map(({ id, title, updatedAt }) => {
            const open = (): void => {
              session.openConversation(id);
              go('chat');
            };
            const row = button('row', open, [
              title,
              element('span', { class: 'muted' }, timeText(updatedAt, language)),
            ]);
            if (id === session.state.conversationId) row.ariaCurrent = 'true';
            return row;
          }),
        );
    } catch {
      say(texts.conversationsFailed);
    }
  };
  void show();
  return { node };
}
