import type { SessionState } from '../session.js';
import { button, element } from './element.js';
import type { ViewContext } from './view-context.js';

/** What an empty conversation begins with: a greeting, and first questions that one press asks. */
export function greeting({ session, texts }: ViewContext) {
  const chips = element('div', { class: 'chips', role: 'group', 'aria-label': texts.suggestions });
  let shown: readonly string[] | undefined;
  return {
    node: element('div', { class: 'greet' }, element('h3', {}, texts.greeting), chips),
    update({ suggestions }: SessionState) {
      if (suggestions === shown) return;
      shown = suggestions;
      chips.hidden = suggestions.length === 0;
      chips.replaceChildren(
        ...suggestions.map((text) => button('chip', () => session.send(text), [text])),
      );
    },
  };
}
