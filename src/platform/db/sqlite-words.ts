import type { Knex } from 'knex';

/** Shorter words find only themselves: too many others begin with them. */
const leastPrefix = 3;

/** Begins the word of an organization in the index of messages, as the view of migration 0074 writes it. */
export const ownerSign = '\u{e000}';

/** Fills the index anew from the messages, so that nothing in it is of others. */
export async function rebuildMessageWords(db: Knex): Promise<void> {
  await db.raw(`insert into message_words (message_words) values ('rebuild')`);
}

/**
 * A search for messages of an organization with all words of a text, in the language of FTS5. Words in quotes must stand
 * side by side as they are.
 */
export function matchWords(organizationId: number, text: string): string | undefined {
  const pieces = text.match(/"[^"]*"|[^\s"]+/gu) ?? [];
  const wanted = pieces.flatMap((piece) => {
    // A word with a sign in it is two for FTS5, side by side.
    const last = /[\p{L}\p{N}\p{M}]+(?=[^\p{L}\p{N}\p{M}]*$)/u.exec(piece)?.[0];
    if (last === undefined) return [];
    // In quotes, nothing of a text is an operator.
    if (piece.startsWith('"')) return [piece];
    const isShort = (last.match(/[\p{L}\p{N}]/gu) ?? []).length < leastPrefix;
    return [`"${piece}"${isShort ? '' : '*'}`];
  });
  if (wanted.length === 0) return undefined;
  return [`"${ownerSign}${organizationId}"`, ...new Set(wanted)].join(' AND ');
}
