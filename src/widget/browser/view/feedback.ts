import type { ChatMessage } from '../session.js';
import { button, element, setAttribute } from './element.js';
import { icon } from './icons.js';
import type { ViewContext } from './view-context.js';

/** Two thumbs; the pressed one pressed again takes the judgement back. */
export function feedbackButtons({ session, texts }: ViewContext, key: string) {
  const thumb = (rating: 'up' | 'down', label: string) =>
    button('icon small quiet', () => session.rate(key, rating), [icon('up')], label);
  const up = thumb('up', texts.helpful);
  const down = thumb('down', texts.notHelpful);
  down.classList.add('turned');
  return {
    node: element('div', { class: 'tools' }, up, down),
    update({ rating }: ChatMessage) {
      setAttribute(up, 'aria-pressed', String(rating === 'up'));
      setAttribute(down, 'aria-pressed', String(rating === 'down'));
    },
  };
}
