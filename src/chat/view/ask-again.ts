import { questionOf } from '../session/session-state.js';
import { button } from '../dom/element.js';
import type { ViewContext } from './view-context.js';

/**
 * The button that asks a question again; `key` is the question's, or that of its answer. A question that failed is
 * asked in its place. To one that was answered in part a new one follows, as in the stored conversation.
 */
export function askAgain({ session, texts }: ViewContext, key: string): HTMLButtonElement {
  const again = (): void => {
    const question = questionOf(session.state, key);
    if (!question) return;
    // The button may go with what is replaced: the focus must not fall out of the panel with it.
    made.closest<HTMLElement>('.log')?.focus({ preventScroll: true });
    if (question.status === 'failed') session.retry(question.key);
    else session.send(question.text);
  };
  const made = button('plain', again, [texts.retry]);
  return made;
}
