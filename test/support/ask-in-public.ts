import type { Answer } from '../../src/answers/answer.js';
import { answerQuestion } from '../../src/answers/answer-question.js';
import type { Turn } from '../../src/answers/question-context.js';
import type { TestApp, TestOrganization } from './test-app.js';

/** The answer of an organization's public knowledge to a question without a page. */
export function askInPublic(
  test: Pick<TestApp, 'app'>,
  { operator, appId }: TestOrganization,
  text: string,
  history: Turn[] = [],
): Promise<Answer> {
  const scope = { organizationId: operator.organizationId, appId, tiers: ['public' as const] };
  return answerQuestion(test.app, { text, scope, place: undefined, page: undefined, history });
}
