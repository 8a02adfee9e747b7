import type { ChatMessage } from '../session.js';
import { button, element } from './element.js';
import { icon } from './icons.js';
import type { ViewContext } from './view-context.js';

/** Two thumbs; the pressed one pressed again takes the judgement back. */
export function feedbackButtons({ session, texts }: ViewContext, key: string) {
  const thumb = (rating: 'up' | 'down', label: string) =>
    button(`icon quiet ${rating}`, () => session.rate(key, rating), [icon('thumb')], label);
  const up = thumb('up', texts.helpful);
  const down = thumb('down', texts.notHelpful);
  return {
    node: element('div', { class: 'tools' }, up, down),
    update({ rating }: ChatMessage) {
      up.ariaPressed = String(rating === 'up');
      down.ariaPressed = String(rating === 'down');
    },
  };
}
