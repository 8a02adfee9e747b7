import {
  walkConversationList,
  type ConversationInput,
  type ListedConversations,
} from '../conversations/read-conversations.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { KeyPage } from '../platform/db/select-page.js';
import { handedConversations } from '../requests/requests.repository.js';

export const outcomes = ['settled', 'handed'] as const;

export interface CountedInput extends Omit<ConversationInput, 'outcome' | 'replied' | 'userId'> {
  outcome?: (typeof outcomes)[number] | undefined;
}

/**
 * The next conversations behind a figure: those with such a reply in the days, as readInsights counts them. Without a
 * day, of all days. The total is that of walkConversationList. Errors: those of readInsights.
 */
export async function listCounted(
  app: App,
  actor: Actor,
  input: CountedInput & KeyPage,
): Promise<ListedConversations> {
  const filter = countedInput(app, actor, input);
  return walkConversationList(app, actor, filter);
}

/** The conversations behind a figure, as lists and exports of conversations take them: these check the rest of the filter. */
export function countedInput<Input extends CountedInput>(
  app: App,
  actor: Actor,
  { outcome, ...input }: Input,
): Omit<Input, 'outcome'> & Pick<ConversationInput, 'outcome'> {
  const { organizationId } = requirePermission(actor, 'conversations.read_all');
  const of = { handed: handedConversations(app, organizationId), now: app.clock.now() };
  return { ...input, outcome: outcome === undefined ? undefined : { is: outcome, of } };
}
