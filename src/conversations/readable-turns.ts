import type { Turn } from '../answers/turn.js';
import { findOpenEntries } from '../knowledge/entries.repository.js';
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
  const ids = new Set(messages.flatMap(madeFrom));
  const appId = 'appId' in actor ? actor.appId : undefined;
  const reader = { organizationId, appId, tiers, drafts: false };
  const readable = new Set(ids.size === 0 ? [] : await findOpenEntries(app, reader, [...ids]));
  return messages
    .filter(({ role, found }) => role === 'user' || found !== null)
    .filter((message) => madeFrom(message).every((uuid) => readable.has(uuid)))
    .map(({ role, content }) => ({ role, content }));
}
