import type { AnswerMode } from '../answers/answer.js';
import { listConversations } from '../conversations/read-conversations.js';
import type { Conversation, Rating } from '../conversations/store/conversation.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { handedConversations } from '../requests/requests.repository.js';
import { readSpan, requireCounter, type SpanInput } from './span.js';

export const outcomes = ['settled', 'handed'] as const;

export interface CountedInput extends SpanInput, Page {
  found?: boolean | undefined;
  rating?: Rating | undefined;
  unsupported?: true | undefined;
  mode?: AnswerMode | undefined;
  slowerMs?: number | undefined;
  outcome?: (typeof outcomes)[number] | undefined;
  withoutCli?: boolean | undefined;
}

/**
 * A page of the conversations behind a figure: those with such a reply in the days, as readInsights counts them. Without
 * a day, of all days. Refuses as readInsights does.
 */
export async function listCounted(
  app: App,
  actor: Actor,
  { from, to, outcome, ...filter }: CountedInput,
): Promise<Paged<Conversation>> {
  const { organizationId } = await requireCounter(app, actor, filter);
  const isOfDays = from !== undefined || to !== undefined;
  const days = isOfDays ? (await readSpan(app, organizationId, { from, to })).days : [];
  const [first, next] = [days[0]?.first, days.at(-1)?.next];
  const of = { handed: handedConversations(app, organizationId), now: app.clock.now() };
  return listConversations(app, actor, {
    ...filter,
    replied: first === undefined || next === undefined ? undefined : { first, next },
    outcome: outcome === undefined ? undefined : { is: outcome, of },
  });
}
