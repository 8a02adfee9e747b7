import type { FrameReply } from '../../protocol.js';
import type { ChatMessage } from '../session.js';
import { askPersonCard } from './ask-person.js';
import { answerText } from './answer-text.js';
import { element, setAttribute, setText } from './element.js';
import { errorText } from './error-text.js';
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
  const waiting = element('div', { class: 'dots' });
  const below = element('div', { hidden: true });
  const failure = element('p', { class: 'bad' });
  const feedback = feedbackButtons(context, first.key);
  const person = askPersonCard(context, first.key);
  const node = element(
    'article',
    { class: 'answer', 'aria-label': texts.assistant },
    {},
    ...[text.node, waiting, failure, below, person.node, feedback.node],
  );

  /** The end of the answer is shown once: what was opened or marked below it must stay. */
  const end = (reply: FrameReply): void => {
    ended = reply;
    text.end(reply);
    const doubtful = markStretches(text.node, reply.response, reply.unsupported, texts.unsupported);
    sources = reply.sources.length > 0 ? listSources(context, reply.sources) : undefined;
    const notes = [
      reply.mode === 'extractive' && reply.found ? texts.quoted : undefined,
      doubtful ? texts.unsupported : undefined,
    ];
    below.replaceChildren(
      ...notes
        .filter((note) => note !== undefined)
        .map((note) => element('p', { class: 'note' }, {}, note)),
      ...(sources ? [sources.node] : []),
    );
    below.hidden = below.childElementCount === 0;
  };

  const update = (message: ChatMessage): void => {
    const { status, reply } = message;
    const under = status === 'waiting' || status === 'streaming';
    setAttribute(node, 'aria-busy', String(under));
    text.show(message.text);
    showWaiting(waiting, under && message.text === '', waitingText(message, context));
    if (reply !== undefined && reply !== ended) end(reply);
    const broken = status === 'incomplete' || status === 'failed';
    failure.hidden = !broken;
    const why = message.error === undefined ? '' : ` ${errorText(message.error, texts)}`;
    setText(failure, broken ? texts.incomplete + why : '');
    person.node.hidden = under || reply?.canRequest !== true;
    person.update(message);
    feedback.node.hidden = under || reply === undefined;
    feedback.update(message);
  };
  update(first);
  return {
    node,
    update,
    spoken: () => [text.spoken(), failure.textContent].filter((part) => part !== '').join(' '),
  };
}

function waitingText({ waitingFor }: ChatMessage, { texts }: ViewContext): string {
  if (waitingFor === 'queue') return texts.waitingQueue;
  return waitingFor === 'model' ? texts.waitingModel : texts.waiting;
}

function showWaiting(node: HTMLElement, shown: boolean, text: string): void {
  node.hidden = !shown;
  if (!shown) node.replaceChildren();
  else if (node.textContent !== text)
    node.replaceChildren(...[1, 2, 3].map(() => element('i')), element('span', {}, {}, text));
}
