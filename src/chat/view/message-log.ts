import { isOver } from '../session/session-state.js';
import type { ChatMessage, SessionState } from '../session.js';
import { type Cleanup, button, element, setText } from '../dom/element.js';
import { dots, answerView, type MessageView } from './answer.js';
import { face } from './face.js';
import { followEnd, type FollowEnd } from './follow-end.js';
import { questionView } from './question.js';
import type { ViewContext } from './view-context.js';

/** Screen readers announce a text when it appears. It is removed later, so that nobody finds it twice. */
const spokenFor = 1000;

export interface MessageLog {
  node: HTMLElement;
  /** The live region for screen readers. */
  spoken: HTMLElement;
  scroll: FollowEnd;
  update(state: SessionState): void;
}

/** Rare, so its content is loaded later. Until then, or if that fails, it is plain text. */
const personView = (context: ViewContext, { text, notice }: ChatMessage): MessageView => {
  const label = context.texts.person;
  const node = element('article', { class: 'answer card', 'aria-label': label }, text);
  const fill = async () => notice && (await context.loadPages()).fillPerson(context, notice, node);
  fill().catch(() => undefined);
  // The note below the question's answer already announces it.
  return { node, update: () => undefined, spoken: () => [] };
};

const views = { user: questionView, assistant: answerView, person: personView };

/** True for a broken-off attempt whose question was asked again, in the same words. It is hidden. */
function isTriedAgain(messages: SessionState['messages'], at: number): boolean {
  const [question, answer, again] = messages.slice(messages[at]?.role === 'user' ? at : at - 1);
  return (
    answer?.status === 'incomplete' && again?.text === question?.text && again?.status !== 'failed'
  );
}

/** The conversation: one view per message, by key. Unchanged messages are not touched. */
export function messageLog(
  context: ViewContext,
  cleanup: Cleanup,
  away: (away: boolean) => void,
): MessageLog {
  const { texts, session, options } = context;
  let shown = new Map<string, { view: MessageView; message: ChatMessage }>();
  let conversation: string | undefined;
  let suggested: readonly string[] | undefined;
  let held: HTMLElement | null | undefined;
  const chips = element('div', { class: 'chips', role: 'group', 'aria-label': texts.suggestions });
  const logo = face();
  const hello = element('h3');
  const about = element('p', {}, texts.about);
  const greeting = element('div', { class: 'greet' }, logo.node, hello, about);
  const restoring = dots(texts.loading);
  const spoken = element('div', { class: 'sr', role: 'status' });
  const content = element('div', {}, greeting, restoring, chips);
  const node = element(
    'div',
    // Silent: a finished message is announced once, not each word that streams.
    { class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': texts.messages, tabindex: 0 },
    content,
  );
  const scroll = followEnd(node, content, () => held, cleanup, away);

  let timer = 0;
  cleanup.push(() => clearTimeout(timer));
  const say = (...texts: string[]): void => {
    clearTimeout(timer);
    spoken.append(...texts.map((text) => element('p', {}, text)));
    timer = setTimeout(() => spoken.replaceChildren(), spokenFor);
  };

  const update = (state: SessionState): void => {
    const { messages, conversationId, suggestions, organization } = state;
    const { greeting: given, logo: src, title } = options();
    const before = shown;
    shown = new Map();
    let asked = false;
    let previous: Element = restoring;
    held = undefined;
    let at = 0;
    for (const message of messages) {
      const { key } = message;
      const isQuestion = message.role === 'user';
      const known = before.get(key);
      const view = known?.view ?? views[message.role](context, message);
      if (known?.message !== message) view.update(message);
      if (known && isOver(message) && !isOver(known.message)) say(...view.spoken());
      view.node.hidden = isTriedAgain(messages, at++);
      if (previous.nextSibling !== view.node) previous.after(view.node);
      previous = view.node;
      shown.set(key, { view, message });
      asked ||= isQuestion && !known;
      // Messages that are held at the top: a question, a person's answer, and the note below a stopped answer.
      if (message.role !== 'assistant') held = view.node;
      else if (message.error?.code === 'cancelled') held = view.node.querySelector('.pair');
    }
    for (const [key, { view }] of before) if (!shown.has(key)) view.node.remove();
    restoring.hidden = !state.restoring;
    greeting.hidden = !!messages[0] || state.restoring;
    setText(hello, given ?? texts.greeting);
    logo.show(src, title ?? organization);
    const offered = messages[0] ? messages.at(-1)?.reply?.suggestions : suggestions;
    if (offered !== suggested)
      chips.replaceChildren(
        ...(offered ?? []).map((text) => button('chip', () => session.send(text), [text])),
      );
    suggested = offered;
    chips.hidden = !offered?.length || state.restoring;
    node.classList.toggle('online', state.connection === 'online');
    if (asked || conversation !== conversationId) scroll.restart();
    conversation = conversationId;
  };
  return { node, spoken, scroll, update };
}
