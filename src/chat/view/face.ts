import { element } from '../dom/element.js';
import { icon } from '../dom/icons.js';

/** The page's logo, or a drawing when there is none or it does not load. */
export function face() {
  const node = element('span', { class: 'face' });
  let shown: string | undefined | null = null;
  return {
    node,
    /** `name` is the logo's text alternative; empty when the name stands beside it. */
    show(logo: string | undefined, name = ''): void {
      if (logo !== shown) {
        shown = logo;
        const drawing = icon('chat');
        const onerror = () => drawing.isConnected || node.replaceChildren(drawing);
        node.replaceChildren(logo ? element('img', { src: logo, onerror }) : drawing);
      }
      const image = node.querySelector('img');
      if (image) image.alt = name;
    },
  };
}
