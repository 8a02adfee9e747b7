import assert from 'node:assert/strict';
import { listChanges } from '../../src/audit/list-changes.js';
import { createEntry } from '../../src/knowledge/create-entry.js';
import { listEntries } from '../../src/knowledge/read-entries.js';
import { checkVisibility } from '../../src/operations/visibility/check-visibility.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import {
  addOrganization,
  onSqlite,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('The visibility audit', () => {
  let test: TestApp;
  let acme: TestOrganization;
  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
    for (const visibility of ['public', 'internal'] as const) {
      await createEntry(test.app, acme.operator, {
        ...{ title: visibility, content: `The ${visibility} text.`, domain: acme.domain },
        ...{ visibility, status: 'published' },
      });
    }
  });
  afterEach(() => test.close());

  const check = (url?: string) => checkVisibility(test.app, acme.operator, { url });
  const url = () => `https://${acme.domain}/anywhere`;
  const trigger = (sql: string) =>
    test.app.db.write.raw(`create trigger fault after insert on ${sql}`);

  it('tries every credential and finds no leak, even in an app without a domain', async () => {
    await createApp(test.app, acme.operator, { name: 'Without a domain' });
    const { leaks, missed, trials, credentials, counts } = await check();
    assert.deepEqual({ leaks, missed }, { leaks: [], missed: [] });
    assert.equal(credentials.length, 9);
    for (const door of ['page', 'answers', 'lists']) {
      assert.ok(trials.some((trial) => trial.door === door && trial.reached));
    }
    assert.equal(new Set(trials.map(({ app }) => app)).size, 2);
    assert.deepEqual(counts, { public: 1, authenticated: 0, internal: 1, draft: 0 });
  });

  onSqlite(it)('leaves no entry, passage or change record behind', async () => {
    const state = async () => {
      const { db } = test.app;
      const tables = ['knowledge_entries', 'passages', 'passage_features', 'audit_log'];
      const counts = await Promise.all(tables.map((table) => db.read(table).count()));
      const sequences: unknown = await db.read('sqlite_sequence').orderBy('name');
      const revisions: unknown = await db.read('knowledge_revisions').orderBy('app_id');
      return { counts, sequences, revisions };
    };
    const before = await state();
    await check();
    await check(url());
    assert.deepEqual(await state(), before);
    const page = { page: 1, limit: 50 };
    assert.equal((await listEntries(test.app, acme.operator, page)).total, 2);
    const changes = await listChanges(test.app, acme.operator, page);
    assert.ok(changes.items.every(({ subject }) => !subject.includes('canary')));
  });

  it('reports who can see each entry of a page', async () => {
    const { shown, leaks } = await check(url());
    assert.deepEqual(leaks, []);
    const viewers = new Map(shown.map(({ entry, shownTo }) => [entry.title, shownTo]));
    assert.deepEqual(viewers.get('internal'), ['backoffice', 'admin']);
    assert.equal(viewers.get('public')?.length, 9);
  });

  onSqlite(it)('reports internal knowledge that a public key can find', async () => {
    await trigger(
      `passages when new.visibility = 'internal' begin update passages set visibility = 'public' where id = new.id; end`,
    );
    const { leaks } = await check();
    assert.ok(leaks.some((leak) => /^public key, answers, .*the tier internal$/.test(leak)));
    assert.ok(leaks.every((leak) => !leak.includes('page')));
  });

  onSqlite(it)(
    'reports a page that shows a draft, and published knowledge that no search finds',
    async () => {
      await trigger(
        `knowledge_entries when new.status = 'draft' begin update knowledge_entries set status = 'published' where id = new.id; end`,
      );
      const { leaks } = await check();
      assert.ok(
        leaks.some((leak) => /^nobody, page, .*a draft$/.test(leak)),
        leaks.join('\n'),
      );
      await test.app.db.write.raw('drop trigger fault');
      await trigger('passages begin update passages set published = 0 where id = new.id; end');
      const { missed } = await check();
      assert.ok(missed.some((miss) => /^admin, answers, .*the tier public$/.test(miss)));
    },
  );

  it('reports an entry whose passages are visible to more people than the entry itself', async () => {
    const { shown } = await check(url());
    const internal = shown.find(({ entry }) => entry.title === 'internal')?.entry;
    await test.app.db
      .write('passages')
      .where({ entry_id: internal?.id })
      .update({ visibility: 'authenticated' });
    const { leaks } = await check();
    assert.deepEqual(leaks, [`the index opens entry ${internal?.uuid ?? ''} (internal)`]);
  });

  it('reports an entry in an app of another organization', async () => {
    const globex = await addOrganization(test, 'Globex');
    const internal = await test.app.db
      .write('knowledge_entries')
      .where({ title: 'internal' })
      .first<{ id: number; uuid: string }>('id', 'uuid');
    const foreign = { app_id: globex.appId };
    await test.app.db.write('knowledge_entries').where({ id: internal.id }).update(foreign);
    await test.app.db.write('passages').where({ entry_id: internal.id }).update(foreign);
    const { leaks } = await check();
    assert.deepEqual(leaks, [
      `entry ${internal.uuid} (internal) stands in an app of another organization`,
    ]);
  });

  onSqlite(it)('reports passages of a deleted entry', async () => {
    const { db } = test.app;
    // A database tool may ignore foreign keys: then the passages stay.
    await db.write.raw('pragma foreign_keys = off');
    await db.write('knowledge_entries').where({ title: 'public' }).delete();
    await db.write.raw('pragma foreign_keys = on');
    const { leaks } = await check();
    assert.equal(leaks.length, 1, leaks.join('\n'));
    assert.match(leaks[0] ?? '', /^the index opens entry number \d+, which is gone/);
  });

  it('is allowed only to administrators, and only for pages of their own organization', async () => {
    const globex = await addOrganization(test, 'Globex');
    const { organizationId } = acme.operator;
    const staff = { kind: 'user', organizationId, userId: 1, role: 'backoffice' } as const;
    await assert.rejects(checkVisibility(test.app, staff, {}), { code: 'forbidden' });
    await assert.rejects(check(`https://${globex.domain}/`), { code: 'not_found' });
    await assert.rejects(check('no address'), { code: 'invalid_request' });
  });
});
