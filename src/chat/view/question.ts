import type { ChatMessage, SessionError } from '../session.js';
import { button, element, setText } from '../dom/element.js';
import { askAgain, type MessageView } from './answer.js';
import { waitText } from './wait-text.js';
import type { ViewContext } from './view-context.js';

/** True for a text that would fill the panel, such as pasted letters and logs. */
const isLong = (text: string): boolean => /[^]{600}|(.*\n){12}/.test(text);

export function questionView(context: ViewContext, { key, text }: ChatMessage): MessageView {
  const { texts, language } = context;
  const bubble = element(
    'div',
    { class: isLong(text) ? 'bubble long' : 'bubble', tabindex: -1 },
    text,
  );
  const unfold = (): void => {
    bubble.className = 'bubble';
    more.remove();
    bubble.focus({ preventScroll: true });
  };
  const more = button('quiet copy', unfold, [texts.more]);
  const queued = element('p', { class: 'note queued' }, texts.queued);
  const why = element('span', { class: 'bad' });
  const again = askAgain(context, key);
  const failed = element('div', { class: 'pair' }, why, again);
  let latest: SessionError | undefined;
  let until = 0;
  /**
   * The service's messages are for developers, in English; these are for the reader. After "too many questions", they
   * count down to the next attempt. A timer that outlives its panel ends at its next tick.
   */
  const tell = (): void => {
    const left = (until - performance.now()) / 1000;
    const code = latest?.code;
    again.disabled = left > 0;
    if (again.disabled) setTimeout(() => why.isConnected && tell(), 1000);
    setText(
      why,
      again.disabled
        ? texts.rateLimited(waitText(left, language))
        : texts[code === 'cancelled' || code === 'offline' ? code : 'failed'],
    );
  };
  return {
    node: element(
      'article',
      { class: 'question', 'aria-label': texts.you },
      bubble,
      isLong(text) && more,
      queued,
      failed,
    ),
    update({ status, error }) {
      queued.hidden = status !== 'queued';
      failed.hidden = status !== 'failed';
      if (error !== latest) until = performance.now() + (error?.retryAfter ?? 0) * 1000;
      latest = error;
      if (failed.hidden) setText(why, '');
      else tell();
    },
    // Hidden above an answer that broke off: there the answer states the problem.
    spoken: () => (why.offsetParent ? [why.textContent] : []),
  };
}
