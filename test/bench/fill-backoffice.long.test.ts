import assert from 'node:assert/strict';
import { commonWord, fillBackoffice } from '../../bench/fill-backoffice.js';
import { openPageClient } from '../backoffice/support/page-client.js';
import { addOrganization, addUser, onSqlite, serveTestApp } from '../support/test-app.js';

const amounts = {
  ...{ entries: 5400, messages: 4000, batches: 600, requests: 100, people: 60, changes: 50 },
};

// Its statements are those of SQLite.
onSqlite(describe)('The data for measuring the backoffice', () => {
  it('has the wanted amounts, and fills the pages', async () => {
    const test = await serveTestApp();
    try {
      const acme = await addOrganization(test);
      const admin = await addUser(test, acme, 'admin');
      await fillBackoffice(test, acme, amounts);
      const tables = {
        ...{ knowledge_entries: amounts.entries, messages: amounts.messages },
        ...{ conversations: amounts.messages / 4, ingestion_batches: amounts.batches },
        ...{ knowledge_requests: amounts.requests, users: amounts.people + 1 },
      };
      for (const [table, count] of Object.entries(tables)) {
        assert.deepEqual(await test.app.db.read(table).count({ count: '*' }), [{ count }], table);
      }
      const astray = test.app.db
        .read('messages')
        .leftJoin('messages as question', 'question.id', 'messages.question_id')
        .where({ 'messages.role': 'assistant' })
        .whereRaw('question.conversation_id is not messages.conversation_id');
      assert.deepEqual(await astray, [], 'each reply answers a question of its conversation');

      const client = openPageClient(test.url);
      await client.signIn(admin);
      for (const path of [
        '/',
        `/questions?status=all&q=${commonWord}`,
        '/documents?status=failed',
      ]) {
        const { status, text } = await client.open(path);
        assert.equal(status, 200, path);
        assert.ok(!text.includes('class="nothing"'), `${path} shows rows`);
      }
    } finally {
      await test.close();
    }
  });
});
