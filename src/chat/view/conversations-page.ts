import type { ConversationItem } from '../session.js';
import { button, element } from '../dom/element.js';
import { timeText } from './time-text.js';
import type { PageView, ViewContext } from './view-context.js';

/** Earlier conversations, the latest first. They are loaded each time the page is shown. */
export function conversationsPage({ session, texts, language, go }: ViewContext): PageView {
  const node = element('div', { class: 'page', tabindex: -1 });
  const say = (text: string): void => {
    node.textContent = text;
  };
  const itemOf = ({ id, title, updatedAt }: ConversationItem): HTMLElement => {
    const open = (): void => {
      session.openConversation(id);
      go('chat');
    };
    const row = button('row', open, [title, element('small', {}, timeText(updatedAt, language))]);
    if (id === session.state.conversationId) row.ariaCurrent = 'true';
    const name = texts.deleteThis(title);
    const bin = button('quiet', () => ask(), [texts.delete]);
    bin.ariaLabel = name;
    const item = element('div', { class: 'item' }, row, bin);
    const said = element('p', { role: 'status' });
    const remove = async (): Promise<void> => {
      try {
        await session.deleteConversation(id);
        node.focus();
        item.remove();
        if (!node.firstChild) say(texts.nothing);
      } catch {
        said.textContent = texts.failed;
      }
    };
    const keep = (): void => {
      item.replaceChildren(row, bin);
      bin.focus();
    };
    const back = button('plain', keep, [texts.cancel]);
    const sure = button('main risk', () => void remove(), [texts.delete]);
    const question = element('div', { class: 'card' }, said, sure, back);
    const ask = (): void => {
      said.textContent = name;
      item.replaceChildren(question);
      back.focus();
    };
    return item;
  };

  const show = async (): Promise<void> => {
    say(texts.loading);
    try {
      const conversations = await session.listConversations();
      if (!conversations[0]) say(texts.nothing);
      else node.replaceChildren(...conversations.map(itemOf));
    } catch {
      say(texts.failed);
    }
  };
  void show();
  return { node };
}
