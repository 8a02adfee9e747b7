import type { ChatMessage } from '../session.js';
import type { MessageView } from './answer.js';
import { button, element, setText } from './element.js';
import { errorText } from './error-text.js';
import type { ViewContext } from './view-context.js';

export function questionView({ session, texts }: ViewContext, first: ChatMessage): MessageView {
  const bubble = element('div', { class: 'bubble' });
  const queued = element('p', { class: 'note queued' }, texts.queued);
  const why = element('span', { class: 'bad' });
  const retry = button('plain', () => session.retry(first.key), [texts.retry]);
  const failed = element('div', { class: 'fail' }, why, retry);
  const node = element(
    'article',
    { class: 'question', 'aria-label': texts.you },
    ...[bubble, queued, failed],
  );
  const update = ({ text, status, error }: ChatMessage): void => {
    setText(bubble, text);
    queued.hidden = status !== 'queued';
    failed.hidden = status !== 'failed';
    setText(why, failed.hidden ? '' : errorText(error, texts));
  };
  update(first);
  return { node, update, spoken: () => why.textContent };
}
