import type { Knex } from 'knex';
import type { Dialect } from '../dialect.js';
import { isSqlite } from './columns.js';

/**
 * Keeps the topics without an answer as numbers of questions. Triggers delete those of an organization when a question, a
 * reply without an answer, an asker or a settlement changes, so that no write can miss it: the next reader forms them
 * again.
 */
export function keepTopics(dialect: Dialect) {
  return async (trx: Knex): Promise<void> => {
    await trx.schema.createTable('kept_topics', (table) => {
      table.integer('organization_id').primary();
      table.foreign('organization_id').references('organizations.id').onDelete('CASCADE');
      // Questions from this time on were grouped.
      table.string('since', 24).notNullable();
      // Whose work it is: a row that a trigger deleted meanwhile is not completed.
      table.string('token', 36).notNullable();
      // Null while they are formed.
      table.text('topics');
    });
    for (const { table, event, ...rest } of triggers(isSqlite(trx) ? '0' : 'false')) {
      const name = `kept_topics_${table}_${event.split(' ')[0] ?? ''}`;
      await dialect.createRowTrigger(trx, { when: '1 = 1', name, table, event, ...rest });
    }
  };
}

/** Deletes the topics of the organization of a conversation. */
const forget = (conversation: string) =>
  `delete from kept_topics where organization_id =
    (select organization_id from conversations where id = ${conversation});`;

const conversationOf = (row: string) =>
  `(select conversation_id from messages where id = ${row}.question_id)`;

/** `no` is how the database writes that a reply has found nothing. */
const triggers = (no: string) => [
  {
    ...{ table: 'conversations', event: 'update of user_id, end_user_id, visitor_id, channel' },
    run: forget('new.id'),
  },
  // Afterwards its messages are gone.
  {
    ...{ timing: 'before' as const, table: 'conversations', event: 'delete' },
    when: `exists (select 1 from messages where conversation_id = old.id and found = ${no})`,
    run: forget('old.id'),
  },
  {
    ...{ table: 'messages', event: 'insert', when: `new.found = ${no}` },
    run: forget('new.conversation_id'),
  },
  {
    table: 'messages',
    event: 'update of role, content, language, found, question_id, created_at, conversation_id',
    when: `old.found = ${no} or new.found = ${no} or new.role = 'user'`,
    run: `${forget('old.conversation_id')} ${forget('new.conversation_id')}`,
  },
  {
    ...{ table: 'messages', event: 'delete', when: `old.found = ${no} or old.role = 'user'` },
    run: forget('old.conversation_id'),
  },
  { table: 'settled_questions', event: 'insert', run: forget(conversationOf('new')) },
  {
    ...{ table: 'settled_questions', event: 'update of how' },
    run: forget(conversationOf('new')),
  },
  { table: 'settled_questions', event: 'delete', run: forget(conversationOf('old')) },
];
