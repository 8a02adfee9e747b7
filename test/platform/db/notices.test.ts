import assert from 'node:assert/strict';
import type { OpenedApp } from '../../../src/main/open-app.js';
import { openPostgres } from '../../../src/platform/db/open-postgres.js';
import { readNotices } from '../../../src/platform/db/notices.js';
import { startTestPostgres, type PostgresServer } from '../../support/postgres-server.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

describe('Processes on one database of PostgreSQL', () => {
  let postgres: PostgresServer;
  let test: TestApp;
  let other: OpenedApp;

  before(async () => {
    postgres = await startTestPostgres();
  });
  after(() => postgres.stop());
  beforeEach(async () => {
    test = await openTestApp({}, undefined, undefined, postgres.url);
    other = await test.openAnother();
  });
  afterEach(async () => {
    await other.close();
    await test.close();
  });
  /** Counts the wakes of an application's workers. */
  const countWakes = ({ jobs }: OpenedApp) => {
    let wakes = 0;
    const waiting = new Set<() => void>();
    jobs.onWake(() => {
      wakes += 1;
      waiting.forEach((tell) => tell());
    });
    return {
      wakes: () => wakes,
      until: async (wanted: number) => {
        while (wakes < wanted) await new Promise<void>((resolve) => waiting.add(resolve));
      },
    };
  };

  it('wake the workers of each other', async () => {
    const there = countWakes(other);
    // A new connection may have missed something.
    await there.until(1);
    const here = countWakes(test.app);
    await here.until(1);
    test.app.jobs.wake();
    await there.until(2);
    assert.equal(here.wakes(), 2, 'once by itself');
    other.jobs.wake();
    await here.until(3);
  });

  it('are woken by a command that ends at once', async () => {
    const there = countWakes(other);
    await there.until(1);
    const command = await test.openAnother();
    command.jobs.wake();
    await command.close();
    await there.until(2);
  });

  it('tell each other of many changes at once in few notices', async () => {
    const there = countWakes(other);
    await there.until(1);
    for (let time = 0; time < 1000; time++) test.app.jobs.wake();
    await there.until(2);
    // At once, and after a tenth of a second.
    assert.ok(there.wakes() <= 3);
  });

  it('listen again when their connection was cut, and look for what they have missed', async () => {
    const there = countWakes(other);
    await there.until(1);
    const direct = openPostgres(postgres.url + '/postgres', 1);
    await direct.write.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen assistant'`,
    );
    await direct.close();
    await there.until(2);
    test.app.jobs.wake();
    await there.until(3);
  });

  it('miss no notice that comes while they look', async () => {
    const news = readNotices(other.db.notices, 'answers');
    const { signal } = new AbortController();
    const forever = 2 ** 30;
    await news.next(forever, signal);
    const second = new Promise<void>((resolve) => {
      other.db.notices.on('answers', resolve);
    });
    test.app.db.notices.send('answers');
    await second;
    await news.next(forever, signal);
    const leaving = new AbortController();
    const waiting = news.next(forever, leaving.signal);
    leaving.abort();
    await waiting;
    news.end();
  });
});
