import type { FrameReply } from '../../protocol.js';
import type { ChatMessage } from '../session.js';
import { answerText } from './answer-text.js';
import { askPersonCard } from './ask-person.js';
import { element } from './element.js';
import { feedbackButtons } from './feedback.js';
import { markStretches } from './mark-stretches.js';
import { listSources, type SourceList } from './sources.js';
import type { ViewContext } from './view-context.js';

export interface MessageView {
  node: HTMLElement;
  update(message: ChatMessage): void;
  /** What a screen reader is told once the message is whole. */
  spoken(): string;
}

/** Grows while it streams; what stands below it (sources, notes, thumbs) comes once, with the end. */
export function answerView(context: ViewContext, first: ChatMessage): MessageView {
  const { texts } = context;
  let sources: SourceList | undefined;
  let ended: FrameReply | undefined;
  const text = answerText(context, (number) => sources?.reveal(number));
  const dots = [1, 2, 3].map(() => element('i'));
  const waitingFor = element('span');
  const waiting = element('div', { class: 'dots' }, ...dots, waitingFor);
  const below = element('div');
  const incomplete = element('p', { class: 'note' }, texts.incomplete);
  const feedback = feedbackButtons(context, first.key);
  const person = askPersonCard(context, first.key);
  const node = element(
    'article',
    { class: 'answer', 'aria-label': texts.assistant },
    ...[text.node, waiting, incomplete, below, person.node, feedback.node],
  );

  /** The end of the answer is shown once: what was opened or marked below it must stay. */
  const end = (reply: FrameReply): void => {
    ended = reply;
    const { response, unsupported, mode, found } = reply;
    text.end(reply.sources);
    const notes = [
      ...(mode === 'extractive' && found ? [texts.quoted] : []),
      ...(markStretches(text.node, response, unsupported, texts.unsupported)
        ? [texts.unsupported]
        : []),
    ];
    sources = listSources(context, reply.sources);
    sources.node.hidden = reply.sources.length === 0;
    below.replaceChildren(
      ...notes.map((note) => element('p', { class: 'note' }, note)),
      sources.node,
    );
  };

  const update = (message: ChatMessage): void => {
    const { status, reply, waitingFor: what } = message;
    const under = status === 'waiting' || status === 'streaming';
    node.ariaBusy = String(under);
    text.show(message.text);
    waiting.hidden = !under || message.text !== '';
    waitingFor.textContent = what
      ? { queue: texts.waitingQueue, model: texts.waitingModel }[what]
      : texts.waiting;
    incomplete.hidden = status !== 'incomplete' && status !== 'failed';
    if (reply && reply !== ended) end(reply);
    person.node.hidden = under || !reply?.canRequest;
    person.update(message);
    feedback.node.hidden = under || !reply;
    feedback.update(message);
  };
  update(first);
  return {
    node,
    update,
    spoken: () => text.spoken() + (incomplete.hidden ? '' : ` ${texts.incomplete}`),
  };
}
