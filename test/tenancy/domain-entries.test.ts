import assert from 'node:assert/strict';
import { claimDomain, moveDomain, releaseDomain } from '../../src/tenancy/manage-domains.js';
import { findEntriesById } from '../../src/knowledge/entries.repository.js';
import type { Entry, NewEntry } from '../../src/knowledge/entry.js';
import { queryPage } from '../../src/knowledge/query-page.js';
import { visibilities, type Visibility } from '../../src/platform/actor.js';
import { searchPassages } from '../../src/search/search-passages.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { listDomains } from '../../src/tenancy/sites.repository.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  refuseInserts,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addView } from '../support/views.js';

describe('The entries of a domain', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let second: number;
  let count = 0;

  before(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
    second = (await createApp(test.app, acme.operator, { name: 'Second' })).id;
  });
  after(() => test.close());

  /** What the page query shows. `found` counts what answers may use. */
  const shown = async (host: string) => {
    const page = await queryPage(test.app, acme.operator, { url: `https://${host}/` });
    return { app: page.site.app?.id, titles: page.entries.map(({ title }) => title) };
  };
  const found = async (
    appId: number | undefined,
    word: string,
    tiers: Visibility[] = [...visibilities],
  ) => {
    const scope = { organizationId: acme.operator.organizationId, appId, tiers };
    const { passages } = await searchPassages(test.app, { text: word, scope, limit: 9 });
    return passages.filter(({ title }) => title === word).length;
  };
  const claim = async (host: string, appId: number, organization = acme) =>
    (await claimDomain(test.app, organization.operator, { host, appId })).domain.id;
  /** An entry of this domain with a unique word. */
  const entryOn = async (
    appId: number,
    domain: string,
    fields: Partial<NewEntry> = {},
  ): Promise<{ entry: Entry; word: string }> => {
    const word = `zebra${++count}`;
    const text = { title: word, content: `About ${word}.` };
    const entry = await storeEntry(test, { ...acme, appId, domain }, { ...text, ...fields });
    return { entry, word };
  };
  const stored = async ({ id }: Entry) => {
    const [entry] = await findEntriesById(test.app, [id]);
    assert.ok(entry);
    return entry;
  };

  it('are hidden when the domain is released, and visible again when it is claimed again', async () => {
    const host = 'released.example';
    const id = await claim(host, acme.appId);
    const { entry, word } = await entryOn(acme.appId, host);
    assert.deepEqual(await shown(host), { app: acme.appId, titles: [word] });
    assert.equal(await releaseDomain(test.app, acme.operator, id), 1);
    assert.deepEqual(await shown(host), { app: undefined, titles: [] });
    assert.deepEqual([await found(acme.appId, word), await found(undefined, word)], [0, 0]);
    assert.equal((await stored(entry)).version, 2);
    await claim(host, acme.appId);
    assert.deepEqual(await shown(host), { app: acme.appId, titles: [word] });
    assert.equal(await found(acme.appId, word), 1);
  });

  it('move to another app with the domain, and no other entries do', async () => {
    const host = 'moved.example';
    const id = await claim(host, acme.appId);
    const { word } = await entryOn(acme.appId, host);
    const elsewhere = await entryOn(acme.appId, acme.domain);
    await moveDomain(test.app, acme.operator, id, { appId: second });
    assert.deepEqual(await shown(host), { app: second, titles: [word] });
    assert.deepEqual([await found(acme.appId, word), await found(second, word)], [0, 1]);
    assert.equal((await stored(elsewhere.entry)).appId, acme.appId);
    await assert.rejects(moveDomain(test.app, acme.operator, id, { appId: 999 }), {
      code: 'not_found',
    });
  });

  it('move to the app of a more specific claim, and back when that is released', async () => {
    await claim('*.wide.example', acme.appId);
    const { word } = await entryOn(acme.appId, 'docs.wide.example');
    const beside = await entryOn(acme.appId, 'blog.wide.example');
    const nearer = await claim('docs.wide.example', second);
    assert.deepEqual(await shown('docs.wide.example'), { app: second, titles: [word] });
    assert.equal((await stored(beside.entry)).appId, acme.appId);
    assert.equal(await releaseDomain(test.app, acme.operator, nearer), 1);
    assert.deepEqual(await shown('docs.wide.example'), { app: acme.appId, titles: [word] });
  });

  it('never move to another organization whose wildcard covers the released domain', async () => {
    const id = await claim('docs.shared.example', acme.appId);
    const { entry, word } = await entryOn(acme.appId, 'docs.shared.example');
    const globex = await addOrganization(test, 'Globex');
    await releaseDomain(test.app, acme.operator, id);
    await claim('*.shared.example', globex.appId, globex);
    assert.equal((await stored(entry)).appId, null);
    assert.deepEqual(await shown('docs.shared.example'), { app: globex.appId, titles: [] });
    assert.equal(await found(undefined, word), 0);
  });

  it('stay bound to their view while they wait, but not in an app without that view', async () => {
    const host = 'viewed.example';
    const id = await claim(host, acme.appId);
    const viewId = await addView(test, acme, '/viewed');
    const { entry } = await entryOn(acme.appId, host, { viewId });
    await releaseDomain(test.app, acme.operator, id);
    assert.deepEqual([(await stored(entry)).viewId, (await stored(entry)).scope], [viewId, 'view']);
    const again = await claim(host, acme.appId);
    assert.equal((await stored(entry)).viewId, viewId);
    await moveDomain(test.app, acme.operator, again, { appId: second });
    const { viewId: bound, scope } = await stored(entry);
    assert.deepEqual([bound, scope], [null, 'domain_global']);
  });

  it('are never visible to more people in another app, but to fewer if its default says so', async () => {
    const host = 'tiers.example';
    const id = await claim(host, acme.appId);
    const defaulted = { visibilityDefaulted: true };
    const open = await entryOn(acme.appId, host, defaulted);
    const chosen = await entryOn(acme.appId, host);
    const narrow = await entryOn(acme.appId, host, { ...defaulted, visibility: 'internal' });
    const fields = { name: 'Narrow', defaultKnowledgeVisibility: 'authenticated' as const };
    const { id: appId } = await createApp(test.app, acme.operator, fields);
    await moveDomain(test.app, acme.operator, id, { appId });
    const tier = async (entry: Entry) => (await stored(entry)).visibility;
    assert.equal(await tier(open.entry), 'authenticated');
    assert.equal(await tier(chosen.entry), 'public');
    assert.equal(await tier(narrow.entry), 'internal');
    assert.equal(await found(appId, open.word, ['public']), 0);
  });

  it('stay unchanged if the release of the domain fails half way', async () => {
    const host = 'whole.example';
    const id = await claim(host, acme.appId);
    const { entry } = await entryOn(acme.appId, host);
    const accept = await refuseInserts(test.app, 'audit_log');
    await assert.rejects(releaseDomain(test.app, acme.operator, id));
    await accept();
    assert.equal((await stored(entry)).appId, acme.appId);
    const hosts = await listDomains(test.app, acme.operator.organizationId);
    assert.ok(hosts.some((domain) => domain.host === host));
  });
});
