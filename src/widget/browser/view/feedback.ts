import type { ChatMessage } from '../session.js';
import { element, setAttribute } from './element.js';
import { icon } from './icons.js';
import type { ViewContext } from './view-context.js';

/** Two thumbs; the pressed one pressed again takes the judgement back. */
export function feedbackButtons({ session, texts }: ViewContext, key: string) {
  const thumb = (rating: 'up' | 'down') =>
    element(
      'button',
      {
        type: 'button',
        class: 'icon small quiet',
        'aria-label': rating === 'up' ? texts.helpful : texts.notHelpful,
        title: rating === 'up' ? texts.helpful : texts.notHelpful,
      },
      { onclick: () => session.rate(key, rating) },
      icon(rating === 'up' ? 'up' : 'thumbDown'),
    );
  const up = thumb('up');
  const down = thumb('down');
  return {
    node: element('div', { class: 'tools' }, {}, up, down),
    update({ rating }: ChatMessage) {
      setAttribute(up, 'aria-pressed', String(rating === 'up'));
      setAttribute(down, 'aria-pressed', String(rating === 'down'));
    },
  };
}
