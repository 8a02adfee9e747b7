import type { Turn } from '../answers/turn.js';
import { findEntryNamed } from '../knowledge/entries.repository.js';
import type { Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Message } from './conversation.js';

/**
 * The turns of a conversation that a model may be shown on the asker's behalf: without answers from entries that were
 * deleted, unpublished or closed to the asker since, which could come back in the next one.
 */
export async function readableTurns(
  app: Pick<App, 'db' | 'clock'>,
  messages: Message[],
  scope: { organizationId: number; tiers: Visibility[] },
): Promise<Turn[]> {
  const ids = new Set(messages.flatMap(({ sources }) => sources.map((one) => one.entryUuid)));
  const readable = new Set<string>();
  for (const id of ids) {
    const entry = await findEntryNamed(app, scope.organizationId, id);
    if (entry?.status === 'published' && scope.tiers.includes(entry.visibility)) readable.add(id);
  }
  return messages
    .filter(({ sources }) => sources.every(({ entryUuid }) => readable.has(entryUuid)))
    .map(({ role, content }) => ({ role, content }));
}
