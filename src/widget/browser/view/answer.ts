import type { FrameReply } from '../../protocol.js';
import type { ChatMessage } from '../session.js';
import { answerText } from './answer-text.js';
import { askAgain } from './ask-again.js';
import { askPersonCard } from './ask-person.js';
import { element, present, setText } from './element.js';
import { feedbackButtons } from './feedback.js';
import { markStretches } from './mark-stretches.js';
import { listSources, type SourceList } from './sources.js';
import { spokenTexts } from './spoken-texts.js';
import type { ViewContext } from './view-context.js';

export interface MessageView {
  node: HTMLElement;
  update(message: ChatMessage): void;
  /** What a screen reader is told once the message is whole, one text for each paragraph. */
  spoken(): string[];
}

/** Grows while it streams; what stands below it (sources, notes, thumbs) comes once, with the end. */
export function answerView(context: ViewContext, { key }: ChatMessage): MessageView {
  const { texts } = context;
  let sources: SourceList | undefined;
  let ended: FrameReply | undefined;
  let notes: string[] = [];
  const note = (text: string) => element('p', { class: 'note' }, text);
  const text = answerText(context, (number) => sources?.reveal(number));
  const what = element('span');
  const waiting = element(
    'div',
    { class: 'dots' },
    ...[element('i'), element('i'), element('i'), what],
  );
  const below = element('div', { class: 'below' });
  const why = note('');
  const broken = element('div', { class: 'fail' }, why, askAgain(context, key));
  const feedback = feedbackButtons(context, key);
  const person = askPersonCard(context, key);
  const node = element(
    'article',
    { class: 'answer', 'aria-label': texts.assistant },
    ...[text.node, waiting, broken, below, person.node, feedback.node],
  );

  /** The end of the answer is shown once: what was opened or marked below it must stay. */
  const end = (reply: FrameReply): void => {
    ended = reply;
    const { response, unsupported } = reply;
    text.end(reply.sources);
    sources = listSources(context, reply.sources);
    notes = present([
      reply.mode === 'extractive' && reply.found && texts.quoted,
      markStretches(text.node, response, unsupported, texts.unconfirmed) && texts.unsupported,
    ]);
    below.replaceChildren(...notes.map(note));
    if (reply.sources.length > 0) below.append(sources.node);
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
      broken.hidden = under || status === 'complete';
      setText(why, broken.hidden ? '' : texts[incompleteBecause(message.error)]);
      if (reply && reply !== ended) end(reply);
      person.node.hidden = under || !reply?.canRequest;
      person.update(message);
      feedback.node.hidden = under || !reply || reply.withheld;
      feedback.update(message);
    },
    spoken: () => [...spokenTexts(text.node), ...present([why.textContent || false]), ...notes],
  };
}

/** The name of the text that says why an answer is not whole; of a stored one that is not known any more. */
function incompleteBecause(error: ChatMessage['error']): 'incomplete' | 'stopped' | 'brokeOff' {
  if (!error) return 'incomplete';
  return error.code === 'cancelled' ? 'stopped' : 'brokeOff';
}
