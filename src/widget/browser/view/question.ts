import type { ChatMessage } from '../session.js';
import type { MessageView } from './answer.js';
import { element, setText } from './element.js';
import { errorText } from './error-text.js';
import type { ViewContext } from './view-context.js';

export function questionView({ session, texts }: ViewContext, first: ChatMessage): MessageView {
  const bubble = element('div', { class: 'bubble' });
  const queued = element('p', { class: 'note' }, {}, texts.queued);
  const why = element('span', { class: 'bad' });
  const failed = element(
    'div',
    { class: 'fail' },
    {},
    why,
    element(
      'button',
      { type: 'button', class: 'plain' },
      { onclick: () => session.retry(first.key) },
      texts.retry,
    ),
  );
  const node = element(
    'article',
    { class: 'question', 'aria-label': texts.you },
    {},
    ...[bubble, queued, failed],
  );
  const update = ({ text, status, error }: ChatMessage): void => {
    setText(bubble, text);
    queued.hidden = status !== 'queued';
    failed.hidden = status !== 'failed';
    setText(why, status === 'failed' ? errorText(error, texts) : '');
  };
  update(first);
  return { node, update, spoken: () => why.textContent };
}
