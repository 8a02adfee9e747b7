import type { FrameReply } from '../../protocol.js';
import type { ChatMessage } from '../session.js';
import { answerText } from './answer-text.js';
import { askPersonCard } from './ask-person.js';
import { element, present } from './element.js';
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
export function answerView(context: ViewContext, { key }: ChatMessage): MessageView {
  const { texts } = context;
  let sources: SourceList | undefined;
  let ended: FrameReply | undefined;
  const note = (text: string) => element('p', { class: 'note' }, text);
  const text = answerText(context, (number) => sources?.reveal(number));
  const what = element('span');
  const waiting = element(
    'div',
    { class: 'dots' },
    ...[element('i'), element('i'), element('i'), what],
  );
  const below = element('div', { class: 'below' });
  const incomplete = note(texts.incomplete);
  const feedback = feedbackButtons(context, key);
  const person = askPersonCard(context, key);
  const node = element(
    'article',
    { class: 'answer', 'aria-label': texts.assistant },
    ...[text.node, waiting, incomplete, below, person.node, feedback.node],
  );

  /** The end of the answer is shown once: what was opened or marked below it must stay. */
  const end = (reply: FrameReply): void => {
    ended = reply;
    const { response, unsupported } = reply;
    text.end(reply.sources);
    sources = listSources(context, reply.sources);
    below.replaceChildren(
      ...present([
        !!reply.found && reply.mode === 'extractive' && note(texts.quoted),
        markStretches(text.node, response, unsupported, texts.unsupported) &&
          note(texts.unsupported),
        reply.sources.length > 0 && sources.node,
      ]),
    );
  };

  return {
    node,
    update(message) {
      const { status, reply, waitingFor } = message;
      const under = status === 'waiting' || status === 'streaming';
      node.ariaBusy = String(under);
      text.show(message.text);
      waiting.hidden = !under || message.text !== '';
      what.textContent =
        texts[
          waitingFor === 'queue'
            ? 'waitingQueue'
            : waitingFor === 'model'
              ? 'waitingModel'
              : 'waiting'
        ];
      incomplete.hidden = under || status === 'complete';
      if (reply && reply !== ended) end(reply);
      person.node.hidden = under || !reply?.canRequest;
      person.update(message);
      feedback.node.hidden = under || !reply || reply.withheld || reply.found === null;
      feedback.update(message);
    },
    spoken: () => text.node.textContent + (incomplete.hidden ? '' : ` ${texts.incomplete}`),
  };
}
