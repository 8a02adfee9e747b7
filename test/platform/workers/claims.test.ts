import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { insertBatches } from '../../../src/ingestion/batches/batches.repository.js';
import { claimBatch } from '../../../src/ingestion/worker/lease.repository.js';
import type { OpenedApp } from '../../../src/main/open-app.js';
import {
  claimDelivery,
  insertDeliveries,
} from '../../../src/notifications/deliveries.repository.js';
import { insertNotification } from '../../../src/notifications/notifications.repository.js';
import { inTransaction } from '../../../src/platform/db/in-transaction.js';
import { addOrganization, openTestApp, type TestApp } from '../../support/test-app.js';

describe('Eight workers that claim jobs at once', () => {
  const jobs = 300;
  let test: TestApp;
  /** Each organization gets a third of the jobs. */
  let owners: { organizationId: number; appId: number }[];

  beforeEach(async () => {
    test = await openTestApp();
    owners = [];
    for (const name of ['Acme', 'Globex', 'Initech']) {
      const { operator, appId } = await addOrganization(test, name);
      owners.push({ organizationId: operator.organizationId, appId });
    }
  });
  afterEach(() => test.close());

  const fill = <T>(make: (owner: { organizationId: number; appId: number }) => T) =>
    Array.from({ length: jobs / owners.length }, () => owners.map(make)).flat();

  /** All claims of eight workers, and how often one of them was repeated. */
  const claimAll = async <T>(claim: (app: OpenedApp) => Promise<T | undefined>) => {
    let repeats = 0;
    const { dialect } = test.app.db;
    const mustRepeat = (error: unknown) => {
      const must = dialect.mustRepeat(error);
      if (must) repeats++;
      return must;
    };
    const app = { ...test.app, db: { ...test.app.db, dialect: { ...dialect, mustRepeat } } };
    const claimed: T[] = [];
    const work = async () => {
      for (let one = await claim(app); one !== undefined; one = await claim(app)) claimed.push(one);
    };
    await Promise.all(Array.from({ length: 8 }, work));
    return { claimed, repeats };
  };

  it('claim each delivery once, in turns of the organizations', async () => {
    const recipient = { userId: null, endUserId: null, visitorId: randomUUID() };
    const notificationId = await inTransaction(test.app, (app) =>
      insertNotification(
        { ...test.app, ...app },
        {
          ...{ organizationId: owners[0]?.organizationId ?? 0, appId: null, conversationId: null },
          ...{ recipient, dedupeKey: 'key', kind: 'request_resolved', payload: {} as never },
        },
      ),
    );
    const message = { channel: 'mail', notificationId, payload: {} as never } as const;
    await insertDeliveries(
      test.app,
      fill(({ organizationId }) => ({ ...message, organizationId, target: randomUUID() })),
    );
    const { claimed, repeats } = await claimAll(claimDelivery);
    assert.equal(claimed.length, jobs);
    assert.equal(new Set(claimed.map(({ id }) => id)).size, jobs);
    assert.equal(repeats, 0);
    const first = claimed.slice(0, jobs / 2).map(({ organizationId }) => organizationId);
    for (const { organizationId } of owners) {
      const share = first.filter((id) => id === organizationId).length;
      assert.ok(share >= 40 && share <= 60, `${share} of ${first.length}`);
    }
  });

  it('claim each batch once', async () => {
    const fields = { domain: null, source: null, folder: null, sourcePath: null, visibility: null };
    const read = { kind: 'pdf' as const, sourceUrl: null };
    const more = { ...read, fileSha256: '0'.repeat(64), bytes: Buffer.of(1), createdBy: 'test' };
    const batches = fill((owner) => {
      const id = randomUUID();
      return { ...fields, ...more, ...owner, id, fileName: `${id}.pdf`, lease: undefined };
    });
    await insertBatches(test.app, batches);
    const { claimed, repeats } = await claimAll((app) => claimBatch(app));
    assert.equal(claimed.length, jobs);
    assert.equal(new Set(claimed.map(({ id }) => id)).size, jobs);
    assert.equal(repeats, 0);
  });
});
