import { copyOnPress } from '../markdown/copy-text.js';
import type { ChatMessage } from '../session.js';
import { button, element } from './element.js';
import { icon } from './icons.js';
import { sourceAddress } from './sources.js';
import type { ViewContext } from './view-context.js';

/** To copy an answer and to judge it: two thumbs; the pressed one pressed again takes the judgement back. */
export function answerTools(context: ViewContext, key: string, shown: Node) {
  const { session, texts } = context;
  const thumb = (rating: 'up' | 'down', label: string) =>
    button(`icon quiet ${rating}`, () => void session.rate(key, rating), [icon('thumb')], label);
  const up = thumb('up', texts.helpful);
  const down = thumb('down', texts.notHelpful);
  let reply: ChatMessage['reply'];
  /** As it was written, with the addresses of its sources. */
  const written = (): string => {
    const sources = reply?.sources.map((source) => {
      const { number, title, pages } = source;
      const place = pages ? `, ${texts.pages(pages.from, pages.to)}` : '';
      return [`[${number}] ${title}${place}`, sourceAddress(context, source)].join(' ').trim();
    });
    const list = sources?.length ? [`${texts.sources}:`, ...sources].join('\n') : '';
    return `${reply?.response ?? ''}\n\n${list}`.trim();
  };
  const copy = element('button', { type: 'button', class: 'quiet copy' });
  copyOnPress(copy, { copyLabel: texts.copyAnswer, copied: texts.copied }, written, shown);
  return {
    node: element('div', { class: 'tools' }, copy, up, down),
    update(message: ChatMessage) {
      reply = message.reply;
      up.ariaPressed = String(message.rating === 'up');
      down.ariaPressed = String(message.rating === 'down');
    },
  };
}
