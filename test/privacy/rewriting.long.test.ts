import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';
import { erasePerson, rewriteIfDue } from '../../src/privacy/erase-person.js';
import { rehearse } from '../../src/platform/db/in-transaction.js';
import { enforceRetention } from '../../src/privacy/enforce-retention.job.js';
import { addAccount } from '../support/accounts.js';
import { storeTalk } from '../support/stored-talk.js';
import {
  addOrganization,
  onSqlite,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

onSqlite(describe)('The database file', () => {
  let test: TestApp;
  let acme: TestOrganization;

  beforeEach(async () => {
    test = await openTestApp({ database: { busy_timeout_ms: 50 } });
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  function fileHolds(text: string): boolean {
    const { path } = test.app.config.database;
    return [path, `${path}-wal`].some((file) => readFileSync(file).includes(text));
  }

  /** Starts a reader that keeps the present state of the database. */
  async function startReading() {
    const reader = openSqlite(test.app.config.database.path, 1, []);
    await reader.raw('begin');
    await reader.raw('select count(*) from users');
    return reader;
  }

  it('is rewritten after an erasure once no other process reads it', async () => {
    const ada = await addAccount(test, acme, 'Adamarker');
    const reader = await startReading();
    const { rewritten } = await erasePerson(test.app, acme.operator, {
      ...{ kind: 'user', id: String(ada.id) },
    });
    assert.equal(rewritten, false);
    assert.equal(await rewriteIfDue(test.app), false);
    assert.ok(fileHolds('Adamarker'));
    await reader.raw('commit');
    await reader.destroy();
    await enforceRetention(test.app);
    assert.ok(!fileHolds('Adamarker'));
    assert.equal(await rewriteIfDue(test.app), true, 'nothing is left to do');
  });

  it('is rewritten by repeating an erasure that was interrupted before the rewriting', async () => {
    const ada = await addAccount(test, acme, 'Adamarker');
    const named = { kind: 'user', id: String(ada.id) } as const;
    // A process that is killed after the transaction leaves this state.
    const reader = await startReading();
    await erasePerson(test.app, acme.operator, named);
    await reader.raw('commit');
    await reader.destroy();
    assert.ok(fileHolds('Adamarker'));
    const again = () => erasePerson(test.app, acme.operator, named);
    await assert.rejects(
      rehearse(test.app, (app) => erasePerson(app, acme.operator, named)),
      { message: `Nothing is stored here under user:${ada.id}.` },
    );
    assert.ok(fileHolds('Adamarker'), 'a rehearsal writes nothing');
    await assert.rejects(again(), { code: 'not_found', message: /it is rewritten now/ });
    assert.ok(!fileHolds('Adamarker'));
    await assert.rejects(again(), { message: `Nothing is stored here under user:${ada.id}.` });
  });

  it('contains, after an erasure, no earlier deleted text of the person', async () => {
    const { write } = test.app.db;
    // Databases of earlier versions were written in this way.
    await write.raw('pragma secure_delete = off');
    const ada = await addAccount(test, acme, 'Adamarker');
    const { organizationId } = acme.operator;
    const now = new Date().toISOString();
    const rows = Array.from({ length: 300 }, (_, index) => ({
      ...{ id: `c${index}`, organization_id: organizationId, user_id: ada.id, channel: 'api' },
      ...{ title: `Adamarker ${'x'.repeat(index)}`, created_at: now, updated_at: now },
    }));
    await write.batchInsert('conversations', rows, 50);
    await write('conversations').where({ user_id: ada.id }).delete();
    await write.raw('pragma wal_checkpoint(truncate)');
    assert.ok(fileHolds('Adamarker xxx'), 'free pages hold what was deleted');
    await erasePerson(test.app, acme.operator, { kind: 'user', id: String(ada.id) });
    assert.ok(!fileHolds('Adamarker'));
  });

  it('contains no text of a deleted row, even without an erasure', async () => {
    const { write } = test.app.db;
    const { organizationId } = acme.operator;
    const now = new Date().toISOString();
    const [row] = await write.raw<{ secure_delete: number }[]>('pragma secure_delete');
    assert.equal(row?.secure_delete, 1);
    await write('conversations').insert({
      ...{ id: 'c1', organization_id: organizationId, channel: 'api', title: 'Adamarker' },
      ...{ created_at: now, updated_at: now },
    });
    await write('conversations').delete();
    await write.raw('pragma wal_checkpoint(truncate)');
    assert.ok(!fileHolds('Adamarker'));
  });

  it('contains no word of a message in its index after the conversation is deleted or the person is erased', async () => {
    const { write } = test.app.db;
    const ada = await addAccount(test, acme, 'Adamarker');
    const { organizationId } = acme.operator;
    const at = '2026-11-01T00:00:00.000Z';
    const words = ['Quixotry', 'zymurgy', 'Jabberwock', '0xdeadbeef'].map((one) =>
      one.toLowerCase(),
    );
    const say = (question: string) =>
      storeTalk(test.app, { organizationId, at, userId: ada.id, question });
    const indexed = async () => {
      const blocks = await write<{ block: Buffer }>('message_words_data').pluck('block');
      const bytes = Buffer.concat(blocks).toString('latin1');
      return words.filter((word) => bytes.includes(word));
    };
    await storeTalk(test.app, { organizationId, at, question: 'Something else' });
    const { conversationId } = await say(words.join(' '));
    assert.deepEqual(await indexed(), words);
    await write('conversations').where({ id: conversationId }).delete();
    assert.deepEqual(await indexed(), []);
    await say(words.join(' '));
    await erasePerson(test.app, acme.operator, { kind: 'user', id: String(ada.id) });
    for (const word of words) assert.ok(!fileHolds(word), word);
    // The index still contains all other words.
    await write.raw(
      `insert into message_words (message_words, rank) values ('integrity-check', 1)`,
    );
    const found: unknown = await test.app.db.dialect.messagesWithWords(
      ...([write, organizationId, 'something', () => []] as const),
    );
    assert.deepEqual(found, [{ message_id: 1 }]);
  });
});
