import type { ChatMessage, SessionError } from '../session.js';
import type { Texts } from '../texts/texts.js';
import type { MessageView } from './answer.js';
import { askAgain } from './ask-again.js';
import { element, setText } from './element.js';
import type { ViewContext } from './view-context.js';

export function questionView(context: ViewContext, { key }: ChatMessage): MessageView {
  const { texts } = context;
  const bubble = element('div', { class: 'bubble' });
  const queued = element('p', { class: 'note queued' }, texts.queued);
  const why = element('span', { class: 'bad' });
  const failed = element('div', { class: 'fail' }, why, askAgain(context, key));
  const attributes = { class: 'question', 'aria-label': texts.you };
  return {
    node: element('article', attributes, bubble, queued, failed),
    update({ text, status, error }) {
      setText(bubble, text);
      queued.hidden = status !== 'queued';
      failed.hidden = status !== 'failed';
      setText(why, failed.hidden ? '' : errorText(error, texts));
    },
    // Above an answer that broke off it is not shown: there the answer says what happened.
    spoken: () => (why.offsetParent ? [why.textContent] : []),
  };
}

/** The service's own sentences are for developers, in English; these are for whoever asked. */
function errorText(error: SessionError | undefined, texts: Texts): string {
  if (error?.retryAfter) return texts.rateLimited(Math.ceil(error.retryAfter));
  const code = error?.code;
  return texts[code === 'cancelled' || code === 'offline' ? code : 'failed'];
}
