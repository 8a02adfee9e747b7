import type { ChatMessage, SessionState } from '../session.js';
import { answerView, type MessageView } from './answer.js';
import { createAnnouncer } from './announcer.js';
import { element } from './element.js';
import { followEnd, type FollowEnd } from './follow-end.js';
import { greeting } from './greeting.js';
import { questionView } from './question.js';
import type { Releases } from './releases.js';
import type { ViewContext } from './view-context.js';

export interface MessageLog {
  node: HTMLElement;
  scroll: FollowEnd;
  update(state: SessionState): void;
}

const over: readonly string[] = ['complete', 'incomplete', 'failed'];

/** The conversation: a view for each message by its key; what did not change is not touched. */
export function messageLog(
  context: ViewContext,
  releases: Releases,
  away: (away: boolean) => void,
): MessageLog {
  const { texts } = context;
  const announcer = createAnnouncer(releases);
  let shown = new Map<string, { view: MessageView; message: ChatMessage }>();
  let conversation: string | undefined;
  let lastQuestion: HTMLElement | undefined;
  const welcome = greeting(context);
  const restoring = element('p', { class: 'note' }, texts.restoring);
  // Inside of what is live, but silent: the announcer alone speaks, once for each message.
  const content = element('div', { 'aria-live': 'off' }, welcome.node, restoring);
  const node = element(
    'div',
    { class: 'log', role: 'log', 'aria-live': 'polite', 'aria-label': texts.messages, tabindex: 0 },
    ...[content, announcer.node],
  );
  const scroll = followEnd(node, content, () => lastQuestion, releases, away);

  const update = (state: SessionState): void => {
    const { messages, conversationId } = state;
    const before = shown;
    shown = new Map();
    let asked = false;
    let previous: Element = restoring;
    for (const message of messages) {
      const { key, role, status } = message;
      const isQuestion = role === 'user';
      const known = before.get(key);
      const view = known?.view ?? (isQuestion ? questionView : answerView)(context, message);
      if (known && known.message !== message) {
        view.update(message);
        if (over.includes(status) && !over.includes(known.message.status))
          announcer.say(view.spoken());
      }
      if (previous.nextSibling !== view.node) previous.after(view.node);
      previous = view.node;
      shown.set(key, { view, message });
      if (isQuestion) {
        asked ||= !known;
        lastQuestion = view.node;
      }
    }
    for (const [key, { view }] of before) if (!shown.has(key)) view.node.remove();
    const empty = messages.length === 0;
    if (empty) lastQuestion = undefined;
    restoring.hidden = !state.restoring;
    welcome.node.hidden = !empty || state.restoring;
    welcome.update(state);
    node.classList.toggle('online', state.connection === 'online');
    if (asked || conversation !== conversationId) scroll.restart();
    conversation = conversationId;
  };
  return { node, scroll, update };
}
