import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { phrasesIn } from '../answers/phrases.js';
import { openEntries } from '../knowledge/open-entries.js';
import type { Message } from './conversation.js';

/** What of a message decides whether it is shown, and what is not shown then. */
type Withheld = Pick<
  Message,
  'content' | 'language' | 'sources' | 'internalEntries' | 'unsupported'
>;

/**
 * Messages as the actor may be shown them now. One's own questions stay; of an answer that cites an entry that was
 * deleted, unpublished or closed to the actor since, or that was given to the same person by a credential that may
 * read more, a sentence alone is left: its text may quote it word for word.
 */
export async function withholdFrom<T extends Withheld>(
  app: Pick<App, 'db' | 'clock'>,
  actor: Exclude<Actor, { kind: 'anonymous' }>,
  messages: T[],
): Promise<T[]> {
  const open = await openEntries(app, actor, [...new Set(messages.flatMap(madeFrom))]);
  return messages.map((message) =>
    madeFrom(message).every((uuid) => open.has(uuid)) ? message : withhold(message),
  );
}

/** The entries that an answer cites, and those for staff that it may tell of besides. */
export function madeFrom({
  sources,
  internalEntries,
}: Pick<Message, 'sources' | 'internalEntries'>): string[] {
  return [...sources.map(({ entryUuid }) => entryUuid), ...internalEntries];
}

function withhold<T extends Withheld>(message: T): T {
  const content = phrasesIn(message.language).withheld;
  return { ...message, content, sources: [], unsupported: [], withheld: true };
}
