import { questionOf } from '../session/session-state.js';
import { button } from '../dom/element.js';
import type { ViewContext } from './view-context.js';

/**
 * The button that asks a question again. `key` belongs to the question or its answer. A failed question is asked in its
 * place. For a partial answer, a new question is added, as in the stored conversation.
 */
export function askAgain({ session, texts }: ViewContext, key: string): HTMLButtonElement {
  const again = (): void => {
    const question = questionOf(session.state, key);
    if (!question) return;
    // The button may be replaced, so the focus must move inside the panel.
    made.closest<HTMLElement>('.log')?.focus({ preventScroll: true });
    if (question.status === 'failed') session.retry(question.key);
    else session.send(question.text);
  };
  const made = button('plain', again, [texts.retry]);
  return made;
}
