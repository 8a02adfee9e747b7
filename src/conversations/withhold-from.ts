import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { phrasesIn } from '../answers/phrases.js';
import { openEntries } from '../knowledge/open-entries.js';
import type { Message } from './conversation.js';

/**
 * Messages as the actor may be shown them now. One's own questions stay; of an answer that cites an entry that was
 * deleted, unpublished or closed to the actor since, a sentence alone is left: its text may quote it word for word.
 */
export async function withholdFrom<T extends Message>(
  app: Pick<App, 'db' | 'clock'>,
  actor: Exclude<Actor, { kind: 'anonymous' }>,
  messages: T[],
): Promise<T[]> {
  const cited = new Set(messages.flatMap(({ sources }) => sources.map((one) => one.entryUuid)));
  const open = await openEntries(app, actor, [...cited]);
  return messages.map((message) =>
    message.sources.every(({ entryUuid }) => open.has(entryUuid)) ? message : withhold(message),
  );
}

function withhold<T extends Message>(message: T): T {
  const content = phrasesIn(message.language).withheld;
  return { ...message, content, sources: [], unsupported: [], withheld: true };
}
