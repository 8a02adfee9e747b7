import assert from 'node:assert/strict';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { createEntry, type EntryInput } from '../../src/knowledge/create-entry.js';
import { queryPage } from '../../src/knowledge/query-page.js';
import { listEntries } from '../../src/knowledge/read-entries.js';
import { explainEntries } from '../../src/answers/explain-entries.js';
import type { Role, Visibility } from '../../src/platform/actor.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('A new knowledge entry', () => {
  let test: TestApp;
  let acme: TestOrganization;

  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const create = (fields: Partial<EntryInput> = {}) =>
    createEntry(test.app, acme.operator, {
      title: 'Turbines',
      content: 'The turbine spins.',
      domain: acme.domain,
      ...fields,
    });
  const titlesAt = async (url: string) =>
    (await queryPage(test.app, { kind: 'anonymous' }, { url })).entries.map(({ title }) => title);

  it('is by default a public draft for its whole domain', async () => {
    const entry = await create({ title: ' Turbines ', domain: acme.domain.toUpperCase() });
    assert.deepEqual(
      [entry.title, entry.status, entry.visibility, entry.visibilityDefaulted, entry.scope],
      ['Turbines', 'draft', 'public', true, 'domain_global'],
    );
    assert.deepEqual([entry.appId, entry.domain, entry.version], [acme.appId, acme.domain, 1]);
    assert.match(entry.uuid, /^[0-9a-f-]{36}$/);
  });

  it('has the language of its text', async () => {
    const { language } = await create({ content: 'Die Turbine dreht sich, wenn der Wind weht.' });
    assert.equal(language, 'de');
  });

  it('has the given visibility or the app’s default, and records which one it was', async () => {
    const site = await createApp(test.app, acme.operator, {
      name: 'Intranet',
      defaultKnowledgeVisibility: 'internal',
    });
    await claimDomain(test.app, acme.operator, { host: 'intra.example', appId: site.id });
    const defaulted = await create({ domain: 'intra.example' });
    assert.deepEqual([defaulted.visibility, defaulted.visibilityDefaulted], ['internal', true]);
    const given = await create({ domain: 'intra.example', visibility: 'public' });
    assert.deepEqual([given.visibility, given.visibilityDefaulted], ['public', false]);
  });

  it('is refused and not stored with an empty or too long title or text, or an invalid domain or pattern', async () => {
    const bad: [Partial<EntryInput>, string][] = [
      [{ title: ' ' }, 'title'],
      [{ content: '\n' }, 'content'],
      [{ title: 'x'.repeat(501) }, 'title'],
      [{ content: 'x'.repeat(500_001) }, 'content'],
      [{ domain: 'https://acme.example/' }, 'domain'],
      [{ urlPattern: 'install' }, 'url_pattern'],
      [{ urlPattern: '/a/*/b' }, 'url_pattern'],
    ];
    for (const [fields, path] of bad) {
      await assert.rejects(create(fields), (error: unknown) => {
        const { code, problems } = error as { code: string; problems?: { path: string }[] };
        return code === 'invalid_request' && problems?.[0]?.path === path;
      });
    }
    const { total } = await listEntries(test.app, acme.operator, { page: 1, limit: 1 });
    assert.equal(total, 0);
  });

  it('can be created by staff, but not by users and anonymous callers', async () => {
    const { organizationId } = acme.operator;
    const input = { title: 'x', content: 'y', domain: acme.domain };
    const as = (role: Role) =>
      createEntry(test.app, { kind: 'user', organizationId, userId: 1, role }, input);
    await assert.rejects(as('user'), { code: 'forbidden' });
    await assert.rejects(createEntry(test.app, { kind: 'anonymous' }, input), {
      code: 'unauthenticated',
    });
    assert.equal((await as('backoffice')).changedBy, 'user:1');
  });

  it('is refused for another organization’s domain, even below its wildcard', async () => {
    const globex = await addOrganization(test, 'Globex', '*.globex.example');
    await assert.rejects(create({ domain: 'docs.globex.example' }), { code: 'conflict' });
    const own = await createEntry(test.app, globex.operator, {
      title: 'x',
      content: 'y',
      domain: 'docs.globex.example',
    });
    assert.equal(own.appId, globex.appId);
  });

  it('is hidden while nobody has claimed its domain, until an app of its organization claims it', async () => {
    const published = { status: 'published', urlPattern: '/a' } as const;
    const entry = await create({ ...published, domain: 'new.example' });
    const elsewhere = await create({ ...published, domain: 'other.example', title: 'Other' });
    assert.equal(entry.appId, null);
    const find = async () =>
      (await explainEntries(test.app, acme.operator, { text: 'turbine', page: 1, limit: 9 })).total;
    assert.deepEqual([await titlesAt('https://new.example/a'), await find()], [[], 0]);

    const claim = await claimDomain(test.app, acme.operator, {
      host: 'new.example',
      appId: acme.appId,
    });
    assert.equal(claim.adopted, 1);
    assert.deepEqual([await titlesAt('https://new.example/a'), await find()], [['Turbines'], 1]);
    const { items } = await listEntries(test.app, acme.operator, { page: 1, limit: 9 });
    assert.deepEqual(
      items.map(({ uuid, appId, version }) => [uuid, appId, version]),
      [
        [entry.uuid, acme.appId, 2],
        [elsewhere.uuid, null, 1],
      ],
    );
  });

  it('is adopted by a wildcard claim above its domain, but not by other claims', async () => {
    await create({ status: 'published', domain: 'a.b.example' });
    const claim = (host: string) =>
      claimDomain(test.app, acme.operator, { host, appId: acme.appId });
    assert.equal((await claim('*.a.b.example')).adopted, 0);
    assert.equal((await claim('b.example')).adopted, 0);
    assert.equal((await claim('*.b.example')).adopted, 1);
    assert.deepEqual(await titlesAt('https://a.b.example/'), ['Turbines']);
  });

  it('is not adopted by another organization that claims the domain first', async () => {
    await create({ status: 'published', domain: 'raced.example' });
    const globex = await addOrganization(test, 'Globex', 'raced.example');
    assert.equal((await listEntries(test.app, globex.operator, { page: 1, limit: 9 })).total, 0);
    assert.deepEqual(await titlesAt('https://raced.example/'), []);
    const wide = { host: '*.raced.example', appId: acme.appId };
    await assert.rejects(claimDomain(test.app, acme.operator, wide), { code: 'conflict' });
  });

  it('is listed for a reader only if it is published for the reader’s tiers', async () => {
    for (const visibility of ['public', 'authenticated', 'internal'] as const) {
      await create({ status: 'published', visibility, title: visibility });
    }
    await create({ title: 'draft' });
    const { organizationId } = acme.operator;
    const seenBy = async (role: Role, visibility?: Visibility) => {
      const actor = { kind: 'user', organizationId, userId: 1, role } as const;
      const page = await listEntries(test.app, actor, { visibility, page: 1, limit: 9 });
      assert.equal(page.total, page.items.length);
      return page.items.map(({ title }) => title);
    };
    assert.deepEqual(await seenBy('user'), ['public', 'authenticated']);
    assert.deepEqual(await seenBy('user', 'internal'), []);
    assert.deepEqual(await seenBy('admin'), ['public', 'authenticated', 'internal', 'draft']);
  });
});
