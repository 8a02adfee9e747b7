import type { Knex } from 'knex';
import { isSqlite } from './columns.js';

/**
 * Begins the word that stands for an organization in its messages, so that a search reads nothing of others. Texts seldom
 * have this character, and rights do not depend on it: they are conditions on the conversations.
 */
const ownerSign = 0xe000;

/**
 * Finds conversations by the words of their messages, with a full-text index of SQLite. It stores no texts, only where
 * words are. Storing just which messages have them (detail=none) takes less than half of the room, but SQLite 3.52
 * damages such an index when it deletes securely. PostgreSQL keeps such an index by itself.
 */
export async function findWords(trx: Knex): Promise<void> {
  if (!isSqlite(trx)) return indexWords(trx);
  const text = (organization: string, content: string) =>
    `char(${ownerSign}) || ${organization} || ' ' || ${content}`;
  // A cross join keeps SQLite to the order of the messages, in which the index is filled fastest.
  await trx.raw(
    `create view message_texts as
     select messages.id, ${text('conversations.organization_id', 'messages.content')} as content
     from messages cross join conversations on conversations.id = messages.conversation_id`,
  );
  await trx.raw(
    `create virtual table message_words using fts5(content, content='message_texts', content_rowid='id',
     columnsize=0, tokenize="unicode61 remove_diacritics 2")`,
  );
  await trx.raw(`insert into message_words (message_words) values ('rebuild')`);
  // Deleted words leave the file at once, instead of at some later merge.
  await trx.raw(`insert into message_words (message_words, rank) values ('secure-delete', 1)`);
  const add = `insert into message_words (rowid, content)
    select new.id, ${text('organization_id', 'new.content')}
    from conversations where id = new.conversation_id;`;
  const remove = `insert into message_words (message_words, rowid, content)
    select 'delete', old.id, ${text('organization_id', 'old.content')}
    from conversations where id = old.conversation_id;`;
  const triggers = {
    'added after insert on messages': add,
    'changed after update of content on messages': `${remove} ${add}`,
    'deleted after delete on messages': remove,
    // A deleted conversation takes its messages with it, and then nothing says whose they were.
    'left before delete on conversations': `insert into message_words (message_words, rowid, content)
      select 'delete', id, ${text('old.organization_id', 'content')}
      from messages where conversation_id = old.id;`,
  };
  for (const [trigger, run] of Object.entries(triggers)) {
    await trx.raw(`create trigger message_words_${trigger} for each row begin ${run} end`);
  }
}

/** The words of a text are runs of letters and digits, without case and accents. */
async function indexWords(trx: Knex): Promise<void> {
  const folded = "lower(regexp_replace(normalize(content, NFD), '[\\u0300-\\u036f]', '', 'g'))";
  await trx.raw(
    `create function words_of(content text) returns tsvector language sql immutable as $$
       select to_tsvector('pg_catalog.simple', regexp_replace(${folded}, '[^[:alnum:]]+', ' ', 'g'))
     $$`,
  );
  await trx.raw('create index messages_words on messages using gin (words_of(content))');
  await trx.raw(
    `create view message_words as
     select messages.id as message_id, organization_id, words_of(content) as words
     from messages join conversations on conversations.id = messages.conversation_id`,
  );
}
