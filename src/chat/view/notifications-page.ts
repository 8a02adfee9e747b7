import type { SessionState } from '../session.js';
import { element } from '../dom/element.js';
import { fillPerson } from './person.js';
import type { PageView, ViewContext } from './view-context.js';

/** People's answers to questions that were passed to them. */
export function notificationsPage(context: ViewContext): PageView {
  const node = element('div', { class: 'page', tabindex: -1 });
  let shown: string | undefined;
  return {
    node,
    update({ notifications }: SessionState) {
      const ids = notifications.map(({ id }) => id).join();
      // A change of the read state is not shown.
      if (ids === shown) return;
      shown = ids;
      const cards = notifications.map((notice) => {
        const card = element('article', { class: 'card' });
        fillPerson(context, notice, card);
        return card;
      });
      node.replaceChildren(...(cards[0] ? cards : [context.texts.nothing]));
    },
  };
}
