import type { ChatMessage, SessionError } from '../session.js';
import type { MessageView } from './answer.js';
import { askAgain } from './ask-again.js';
import { element, setText } from './element.js';
import { waitText } from './wait-text.js';
import type { ViewContext } from './view-context.js';

export function questionView(context: ViewContext, { key }: ChatMessage): MessageView {
  const { texts, language } = context;
  const bubble = element('div', { class: 'bubble' });
  const queued = element('p', { class: 'note queued' }, texts.queued);
  const why = element('span', { class: 'bad' });
  const failed = element('div', { class: 'fail' }, why, askAgain(context, key));
  /** The service's own sentences are for developers, in English; these are for whoever asked. */
  const errorText = ({ code, retryAfter }: Partial<SessionError> = {}): string =>
    retryAfter
      ? texts.rateLimited(waitText(retryAfter, language))
      : texts[code === 'cancelled' || code === 'offline' ? code : 'failed'];
  return {
    node: element(
      'article',
      { class: 'question', 'aria-label': texts.you },
      bubble,
      queued,
      failed,
    ),
    update({ text, status, error }) {
      setText(bubble, text);
      queued.hidden = status !== 'queued';
      failed.hidden = status !== 'failed';
      setText(why, failed.hidden ? '' : errorText(error));
    },
    // Above an answer that broke off it is not shown: there the answer says what happened.
    spoken: () => (why.offsetParent ? [why.textContent] : []),
  };
}
