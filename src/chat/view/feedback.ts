import { copyOnPress, type Copied } from '../markdown/copy-text.js';
import type { ChatMessage } from '../session.js';
import { button, element } from '../dom/element.js';
import { icon } from '../dom/icons.js';
import type { ViewContext } from './view-context.js';

/** Buttons to copy and rate an answer. Pressing the active thumb again removes the rating. */
export function answerTools(
  { session, texts }: ViewContext,
  key: string,
  written: () => Copied,
  shown: Node,
) {
  const thumb = (rating: 'up' | 'down', label: string) =>
    button(`icon quiet ${rating}`, () => void session.rate(key, rating), [icon('thumb')], label);
  const up = thumb('up', texts.helpful);
  const down = thumb('down', texts.notHelpful);
  const copy = element('button', { type: 'button', class: 'quiet copy' });
  copyOnPress(copy, { copyLabel: texts.copyAnswer, copied: texts.copied }, written, shown);
  return {
    node: element('div', { class: 'tools' }, copy, up, down),
    update({ rating }: ChatMessage) {
      up.ariaPressed = String(rating === 'up');
      down.ariaPressed = String(rating === 'down');
    },
  };
}
