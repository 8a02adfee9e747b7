import type { ButtonTexts } from '../texts/texts.js';
import { button, element, setText } from '../dom/element.js';
import { icon } from '../dom/icons.js';

/** The round button: the widget's only element on the page until the panel is first opened. */
export function launcher(onclick: () => void) {
  const badge = element('span', { class: 'badge' });
  const node = button('launcher', onclick, []);
  let showsOpen: boolean | undefined;
  return {
    node,
    /** `busy`: the panel was requested and is being loaded. */
    update(unread: number, texts: ButtonTexts, open: boolean, busy: boolean) {
      const news = open ? 0 : unread;
      badge.hidden = news === 0;
      setText(badge, String(news));
      const name = open ? texts.close : texts.open;
      node.ariaLabel = news === 0 ? name : `${name}, ${texts.unread(news)}`;
      node.ariaExpanded = String(open);
      node.ariaBusy = String(busy);
      if (open === showsOpen) return;
      showsOpen = open;
      node.replaceChildren(icon(open ? 'down' : 'chat'), badge);
    },
  };
}
