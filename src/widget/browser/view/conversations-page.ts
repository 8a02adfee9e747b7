import { button, element } from './element.js';
import type { ViewContext } from './view-context.js';

/** Earlier conversations, the latest first. Asked for anew each time that it is shown. */
export function conversationsPage({ session, texts, language, go }: ViewContext): HTMLElement {
  const node = element('div', { class: 'page', tabindex: -1 });
  const say = (text: string): void =>
    node.replaceChildren(element('p', { class: 'muted', role: 'status' }, text));
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
              element('span', { class: 'muted' }, new Date(updatedAt).toLocaleString(language)),
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
  return node;
}
