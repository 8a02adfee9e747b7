import type { Knex } from 'knex';
import type { Dialect } from '../dialect.js';
import { times } from './columns.js';

/**
 * Keeps the figures of days that are over. Triggers delete a day when something that it counts changes, so that no write
 * can miss it: the next reader counts the day again. They count nothing themselves.
 */
export function keepCountedDays(dialect: Dialect) {
  return async (trx: Knex): Promise<void> => {
    await trx.schema.createTable('counted_days', (table) => {
      table.integer('organization_id').notNullable();
      table.foreign('organization_id').references('organizations.id').onDelete('CASCADE');
      times(table, 'next', 'first');
      // From this time on the day must be counted again. Null: never.
      table.string('until', 24);
      table.text('counts').notNullable();
      table.primary(['organization_id', 'next', 'first']);
    });
    // Deleting a conversation looks for its requests, and so does counting it.
    await trx.raw(
      'create index knowledge_requests_conversation on knowledge_requests (conversation_id, organization_id)',
    );
    for (const { table, event, when = '1 = 1', run, ...rest } of triggers) {
      const name = `counted_days_${table}_${event.split(' ')[0] ?? ''}`;
      await dialect.createRowTrigger(trx, { name, table, event, when, run, ...rest });
    }
  };
}

/** Deletes the days on which a conversation has replies to questions. Its first reply counts the whole conversation. */
function forgetConversation(id: string): string {
  const replies = `messages where conversation_id = ${id} and found is not null`;
  return `delete from counted_days
    where organization_id = (select organization_id from conversations where id = ${id})
      and next > (select min(created_at) from ${replies})
      and first <= (select max(created_at) from ${replies})
      and exists (select 1 from ${replies} and created_at >= first and created_at < next);`;
}

const conversationOf = (row: string) =>
  `(select conversation_id from messages where id = ${row}.message_id)`;

/** Deletes the day of a row that has its own time. */
function forgetDay(row: string, organization: string): string {
  return `delete from counted_days where organization_id = ${organization}
    and next > ${row}.created_at and first <= ${row}.created_at;`;
}

const organizationOf = (row: string) =>
  `(select organization_id from conversations where id = ${row}.conversation_id)`;

interface Forgetting {
  timing?: 'before';
  table: string;
  event: string;
  when?: string;
  run: string;
}

const triggers: Forgetting[] = [
  {
    ...{ table: 'conversations', event: 'update of app_id, channel, updated_at' },
    run: forgetConversation('new.id'),
  },
  // Afterwards its messages are gone.
  {
    ...{ timing: 'before', table: 'conversations', event: 'delete' },
    run: forgetConversation('old.id'),
  },
  {
    ...{ table: 'messages', event: 'insert', when: 'new.found is not null' },
    run: forgetConversation('new.conversation_id'),
  },
  {
    table: 'messages',
    event:
      'update of created_at, language, mode, found, unsupported, first_word_ms, total_ms, conversation_id',
    run: `${forgetDay('old', organizationOf('old'))} ${forgetConversation('new.conversation_id')}`,
  },
  {
    ...{ table: 'messages', event: 'delete', when: 'old.found is not null' },
    run: `${forgetDay('old', organizationOf('old'))} ${forgetConversation('old.conversation_id')}`,
  },
  {
    ...{ table: 'message_feedback', event: 'insert' },
    run: forgetConversation(conversationOf('new')),
  },
  {
    ...{ table: 'message_feedback', event: 'update of rating' },
    run: forgetConversation(conversationOf('new')),
  },
  {
    ...{ table: 'message_feedback', event: 'delete' },
    run: forgetConversation(conversationOf('old')),
  },
  {
    ...{ table: 'knowledge_requests', event: 'insert', when: 'new.conversation_id is not null' },
    run: forgetConversation('new.conversation_id'),
  },
  {
    ...{ table: 'knowledge_requests', event: 'update of conversation_id, created_at, resolved_at' },
    run: `${forgetConversation('old.conversation_id')} ${forgetConversation('new.conversation_id')}`,
  },
  {
    ...{ table: 'knowledge_requests', event: 'delete', when: 'old.conversation_id is not null' },
    run: forgetConversation('old.conversation_id'),
  },
  {
    ...{ table: 'usage_events', event: 'insert' },
    run: forgetDay('new', 'new.organization_id'),
  },
  {
    ...{ table: 'usage_events', event: 'update of app_id, channel, units, created_at' },
    run: `${forgetDay('old', 'old.organization_id')} ${forgetDay('new', 'new.organization_id')}`,
  },
  {
    ...{ table: 'usage_events', event: 'delete' },
    run: forgetDay('old', 'old.organization_id'),
  },
];
