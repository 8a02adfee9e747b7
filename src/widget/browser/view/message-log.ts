import type { ChatMessage, SessionState } from '../session.js';
import { answerView, type MessageView } from './answer.js';
import { createAnnouncer } from './announcer.js';
import { element, setText } from './element.js';
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
  const restoring = element('p', { class: 'muted' }, {}, texts.restoring);
  // Inside of what is live, but silent: the announcer alone speaks, once for each message.
  const content = element('div', { 'aria-live': 'off' });
  const node = element(
    'div',
    { class: 'log', role: 'log', 'aria-live': 'polite', 'aria-label': texts.messages, tabindex: 0 },
    {},
    ...[content, announcer.node],
  );
  content.append(welcome.node, restoring);
  const scroll = followEnd(node, content, () => lastQuestion, releases, away);

  const update = (state: SessionState): void => {
    const before = shown;
    shown = new Map();
    let asked = false;
    let previous: Node = restoring;
    for (const message of state.messages) {
      const known = before.get(message.key);
      const make = message.role === 'user' ? questionView : answerView;
      const view = known?.view ?? make(context, message);
      if (known && known.message !== message) {
        view.update(message);
        if (over.includes(message.status) && !over.includes(known.message.status)) speak(view);
      }
      if (previous.nextSibling !== view.node) content.insertBefore(view.node, previous.nextSibling);
      previous = view.node;
      shown.set(message.key, { view, message });
      if (message.role === 'user') {
        asked ||= known === undefined;
        lastQuestion = view.node;
      }
    }
    for (const [key, { view }] of before) if (!shown.has(key)) view.node.remove();
    const empty = state.messages.length === 0;
    if (empty) lastQuestion = undefined;
    restoring.hidden = !state.restoring;
    welcome.node.hidden = !empty || state.restoring;
    welcome.update(state);
    if (asked || conversation !== state.conversationId) scroll.restart();
    conversation = state.conversationId;
  };
  const speak = (view: MessageView): void => {
    const text = view.spoken();
    if (text !== '') announcer.say(text);
  };
  setText(restoring, texts.restoring);
  return { node, scroll, update };
}
