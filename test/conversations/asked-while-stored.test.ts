import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import type { AnswerEvent } from '../../src/conversations/answering/make-answer.js';
import type { MessageInput } from '../../src/conversations/answering/prepare-question.js';
import { startAnswer } from '../../src/conversations/answering/running-answers.js';
import type { App } from '../../src/platform/app.js';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, onSqlite, openTestApp, type TestApp } from '../support/test-app.js';

onSqlite(describe)('A question while the database is busy', () => {
  let ollama: OllamaStandIn;
  let test: TestApp;
  let other: Knex;

  const open = async (busyMs: number) => {
    ollama = await startOllamaStandIn({ answer: () => 'Every single night [1].' });
    test = await openTestApp({
      database: { busy_timeout_ms: busyMs },
      ollama: { url: ollama.url },
      answers: { mode: 'ollama' },
    });
    other = openSqlite(test.app.config.database.path, 1, []);
    const acme = await addOrganization(test);
    const content = 'Backups of the server are made every single night.';
    await storeEntry(test, acme, { title: 'Backups', content });
    return (app: App = test.app, channel: MessageInput['channel'] = 'cli') =>
      startAnswer(app, acme.operator, {
        ...{ message: 'When are backups of the server made?', page: undefined, channel },
      });
  };
  afterEach(async () => {
    await other.destroy();
    await test.close();
    await ollama.stop();
  });

  it('is sent to the model before it is stored, and shows no word of the answer before that', async () => {
    const ask = await open(20_000);
    await other.raw('begin immediate');
    let isTold = false;
    const asked = ask().finally(() => (isTold = true));
    // All of its answer, and the time to tell it.
    await ollama.until(() => ollama.chats.length === 1 && ollama.running === 0);
    for (let turn = 0; turn < 20; turn += 1) await test.app.db.read.raw('select 1');
    assert.equal(isTold, false);
    assert.deepEqual(await test.app.db.read('messages').select('id'), []);
    await other.raw('rollback');
    const running = await asked;
    const types: AnswerEvent['type'][] = [];
    for await (const { event } of running.events()) types.push(event.type);
    assert.equal(types[0], 'started');
    assert.equal(types.at(-1), 'done');
    assert.equal(types.filter((type) => type === 'started').length, 1);
    assert.equal((await running.result).answer.text, 'Every single night [1].');
    const stored = await test.app.db.read('messages').orderBy('id').pluck('role');
    assert.deepEqual(stored, ['user', 'assistant']);
  });

  it('is refused, stopped at the model and free of charge if it can’t be stored', async () => {
    const ask = await open(300);
    ollama.stallAfter = 1;
    await other.raw('begin immediate');
    const refused = assert.rejects(ask(), { code: 'database_busy' });
    await ollama.until(() => ollama.chats.length === 1);
    await refused;
    await ollama.until(() => ollama.aborted === 1);
    await other.raw('rollback');
    assert.deepEqual(await test.app.db.read('messages').select('id'), []);
    assert.deepEqual(await test.app.db.read('usage_events').select('id'), []);
    // Nothing is left of it in the way of the next one.
    ollama.stallAfter = undefined;
    const { answer } = await (await ask()).result;
    assert.equal(answer.text, 'Every single night [1].');
  });

  it('is refused by a server if it can’t be stored, however long its search waits', async () => {
    const ask = await open(300);
    await test.app.db.write.raw('pragma query_only = on');
    const searchThread = {
      run: () => new Promise<never>(() => undefined),
      close: () => Promise.resolve(),
    };
    await assert.rejects(ask({ ...test.app, searchThread }, 'api'), { code: 'database_readonly' });
    await test.app.db.write.raw('pragma query_only = off');
  });

  it('leaves no search behind if it can’t be stored, because a command then closes the database', async () => {
    const ask = await open(300);
    await test.app.db.write.raw('pragma query_only = on');
    await assert.rejects(ask(), { code: 'database_readonly' });
    await test.app.db.write.raw('pragma query_only = off');
    const { pool } = test.app.db.read.client as { pool: Record<string, () => number> };
    assert.deepEqual([pool['numUsed']?.(), pool['numPendingAcquires']?.()], [0, 0]);
  });
});
