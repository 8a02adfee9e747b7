import { phrasesIn, type Source } from '../../answers/answer.js';
import { checkQuotes, entryReader, type Quote } from '../../knowledge/check-quotes.js';
import type { Actor } from '../../platform/actor.js';
import type { Store } from '../../platform/app.js';
import type { Message } from './conversation.js';

/** The fields of a message that decide whether it is shown, or are then hidden. */
type Withheld = Pick<
  Message,
  'content' | 'language' | 'sources' | 'internalEntries' | 'unsupported'
>;

/**
 * Messages as the actor may see them now. The actor's questions stay. An answer is replaced by one sentence if it cites
 * an entry that was deleted, unpublished, moved away or closed to the actor since: its text may quote the entry. The
 * same applies if the person received it with a credential that may read more. Sources that have changed are marked.
 */
export async function withholdMessages<T extends Withheld>(
  app: Store,
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

/** The entries that an answer cites, and the internal ones that it may reveal. */
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
