import assert from 'node:assert/strict';
import { forgetSearchedWords } from '../../../src/platform/db/migrations/0091-forget-searched-words.js';
import { addOrganization, openTestApp } from '../../support/test-app.js';

describe('The migration of the records of downloads', () => {
  it('removes the searched words, and nothing else', async () => {
    const test = await openTestApp();
    try {
      const { operator } = await addOrganization(test);
      const record = async (action: string, after: object | null) => {
        const change = {
          organization_id: operator.organizationId,
          action,
          subject: 'x',
          actor: 'y',
        };
        const text = after === null ? null : JSON.stringify(after);
        const row = {
          ...change,
          before: null,
          after: text,
          created_at: '2026-01-01T00:00:00.000Z',
        };
        const [stored] = await test.app.db
          .write('audit_log')
          .insert(row)
          .returning<{ id: number }[]>('id');
        return stored?.id;
      };
      const ids = [
        await record('conversation.export', { format: 'csv', q: 'Ada Lovelace' }),
        await record('conversation.export', { format: 'jsonl' }),
        await record('conversation.export', null),
        await record('user.create', { q: 'Ada Lovelace' }),
      ];
      await test.app.db.write.transaction(forgetSearchedWords);
      const rows = await test.app.db
        .read<{ id: number; after: string | null }>('audit_log')
        .whereIn('id', ids.map(Number))
        .orderBy('id');
      assert.deepEqual(
        rows.map(({ after }) => (after === null ? null : (JSON.parse(after) as unknown))),
        [{ format: 'csv', q: true }, { format: 'jsonl' }, null, { q: 'Ada Lovelace' }],
      );
    } finally {
      await test.close();
    }
  });
});
