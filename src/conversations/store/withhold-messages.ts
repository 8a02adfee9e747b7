import { phrasesIn, type Source } from '../../answers/answer.js';
import { checkQuotes, entryReader, type Quote } from '../../knowledge/check-quotes.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Message } from './conversation.js';

/** What of a message decides whether it is shown, and what is not shown then. */
type Withheld = Pick<
  Message,
  'content' | 'language' | 'sources' | 'internalEntries' | 'unsupported'
>;

/**
 * Messages as the actor may be shown them now. One's own questions stay; of an answer that cites an entry that was
 * deleted, unpublished, moved away or closed to the actor since, or that was given to the same person by a credential
 * that may read more, a sentence alone is left: its text may quote it word for word. A source that says something else
 * now is marked.
 */
export async function withholdMessages<T extends Withheld>(
  app: Pick<App, 'db' | 'clock'>,
  actor: Exclude<Actor, { kind: 'anonymous' }>,
  messages: T[],
): Promise<T[]> {
  const stateOf = await checkQuotes(app, entryReader(actor), messages.flatMap(madeFrom));
  return messages.map((message) => {
    if (madeFrom(message).some((quote) => stateOf(quote) === 'closed')) return withhold(message);
    const sources = message.sources.map((source) =>
      stateOf(quoteOf(source)) === 'changed' ? { ...source, changed: true } : source,
    );
    return { ...message, sources };
  });
}

/** The entries that an answer cites, and those for staff that it may tell of besides. */
export function madeFrom({
  sources,
  internalEntries,
}: Pick<Message, 'sources' | 'internalEntries'>): Quote[] {
  return [...sources.map(quoteOf), ...internalEntries];
}

function quoteOf({ entryUuid: uuid, version, visibility }: Source): Quote {
  return { uuid, version, visibility };
}

function withhold<T extends Withheld>(message: T): T {
  const content = phrasesIn(message.language).withheld;
  return { ...message, content, sources: [], unsupported: [], withheld: true };
}
