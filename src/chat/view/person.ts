import type { ChatNotification } from '../session.js';
import { answerText } from './answer-text.js';
import { element } from '../dom/element.js';
import { timeText } from './time-text.js';
import type { ViewContext } from './view-context.js';

/** The text of a person's answer, which has no citations. */
function personText(context: ViewContext, response: string): HTMLElement {
  const answer = answerText(context, () => undefined);
  answer.show(response);
  answer.end([]);
  return answer.node;
}

/** Shows a person's answer to a question that was passed to them. It counts as read once it was visible. */
export function fillPerson(
  context: ViewContext,
  { id, isAnswer, question, response, createdAt, read }: ChatNotification,
  node: HTMLElement,
): void {
  const { texts, language, session } = context;
  node.replaceChildren(
    element(
      'p',
      { class: 'note' },
      isAnswer && `${texts.person} · `,
      timeText(createdAt, language),
    ),
    question && element('h3', {}, question),
    personText(context, response),
  );
  if (read) return;
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watch.disconnect();
    session.markNotificationRead(id);
  });
  watch.observe(node);
}
