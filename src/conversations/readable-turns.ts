import type { Turn } from '../answers/turn.js';
import { checkQuotes } from '../knowledge/check-quotes.js';
import type { Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { AskingActor } from './asker.js';
import type { Message } from './conversation.js';
import { madeFrom } from './withhold-from.js';

/**
 * The turns of a conversation that a model may be shown on the asker's behalf: without answers from entries that were
 * deleted, unpublished, moved to another app or closed to the asker since, which could come back in the next one. What
 * is withheld from the asker (withholdFrom) never is among them; to staff, drafts and what is gone are no turns either.
 * What was said to small talk is none: nobody goes on from there.
 */
export async function readableTurns(
  app: Pick<App, 'db' | 'clock'>,
  actor: AskingActor,
  messages: Message[],
  { organizationId, tiers }: { organizationId: number; tiers: Visibility[] },
): Promise<Turn[]> {
  const appId = 'appId' in actor ? actor.appId : undefined;
  const reader = { organizationId, appId, tiers, drafts: false };
  const stateOf = await checkQuotes(app, reader, messages.flatMap(madeFrom));
  return messages
    .filter(({ role, found }) => role === 'user' || found !== null)
    .filter((message) => madeFrom(message).every((quote) => stateOf(quote) !== 'closed'))
    .map(({ role, content }) => ({ role, content }));
}
