import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { retentionKinds, type RetentionKind } from '../../src/privacy/retention.js';
import { addAccount } from '../support/accounts.js';
import { auditLogOf } from '../support/audit-log.js';
import { addOrganization, openTestApp, type TestApp } from '../support/test-app.js';

const conversations = 6000;
const forEver = Object.fromEntries(retentionKinds.map((kind) => [kind, 0])) as Record<
  RetentionKind,
  number
>;

describe('Retention in a process that is killed', () => {
  let test: TestApp;
  afterEach(() => test.close());

  const count = async (table: string): Promise<number> => {
    const row = (await test.app.db.read(table).count({ count: '*' }).first()) as { count: number };
    return row.count;
  };
  const program = fileURLToPath(new URL('../support/retention-process.js', import.meta.url));
  const start = async () => {
    const running = fork(program, [JSON.stringify(test.app.config)], { stdio: 'ignore' });
    const exit = once(running, 'exit');
    await Promise.race([once(running, 'message'), exit]);
    return { running, exit: exit.then(([code]: unknown[]) => code) };
  };

  it('deletes conversations completely or not at all, records each slice, and continues after a restart', async () => {
    test = await openTestApp({ privacy: { retention: { ...forEver, conversations: 1 } } });
    const acme = await addOrganization(test);
    const { id: userId } = await addAccount(test, acme, 'Ada');
    const { organizationId } = acme.operator;
    const old = '2020-01-01T00:00:00.000Z';
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${conversations})`;
    const columns = 'id, organization_id, user_id, channel, title, created_at, updated_at';
    await test.app.db.write.raw(
      `insert into conversations (${columns}) ${numbers} select 'conversation-' || i, ${organizationId}, ${userId}, 'api', 'A title', '${old}', '${old}' from n`,
    );
    await test.app.db.write.raw(
      `insert into messages (conversation_id, role, content, status, language, created_at) select id, role, 'A text', 'complete', 'en', '${old}' from conversations, (select 'user' as role union all select 'assistant') as roles`,
    );
    const removed = async () => {
      const records = await auditLogOf(test, acme);
      const slices = records.filter(({ action }) => action === 'retention.remove');
      return slices.reduce((sum, { after }) => sum + (after as { rows: number }).rows, 0);
    };
    for (const share of [0.1, 0.4, 0.7]) {
      const { running, exit } = await start();
      const until = conversations * (1 - share);
      while ((await count('conversations')) > until && running.exitCode === null)
        await setImmediate();
      running.kill('SIGKILL');
      await exit;
      const left = await count('conversations');
      assert.ok(left > 0, 'it was over before it was killed');
      assert.equal(await count('messages'), 2 * left);
      assert.equal(await removed(), conversations - left);
    }
    const { dialect, read } = test.app.db;
    assert.equal(await dialect.checkIntegrity(read), 'ok');
    assert.deepEqual(await dialect.listAstray(read), []);
    assert.equal(await (await start()).exit, 0);
    assert.deepEqual(await Promise.all(['conversations', 'messages'].map(count)), [0, 0]);
    assert.equal(await removed(), conversations);
  });
});
