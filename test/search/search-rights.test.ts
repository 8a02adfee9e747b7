import assert from 'node:assert/strict';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import { publishEntries } from '../../src/knowledge/store-entries.js';
import { visibilities, type Visibility } from '../../src/platform/actor.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import { updatePages } from '../../src/search/passages/passages.repository.js';
import type { Place } from '../../src/search/passages/place.js';
import { searchPassages, type SearchInput } from '../../src/search/search-passages.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addView } from '../support/views.js';

/** A server keeps what it has read; a command begins with nothing. */
const ways = ['by a process that has searched before', 'by a new process'] as const;

ways.forEach((way) =>
  describe(`A search ${way}`, () => {
    let test: TestApp;
    let acme: TestOrganization;
    const text = 'flux capacitor calibration';

    beforeEach(async () => {
      test = await openTestApp();
      acme = await addOrganization(test);
    });
    afterEach(() => test.close());
    const search = async (input: SearchInput) => {
      if (way === 'by a process that has searched before') return searchPassages(test.app, input);
      const another = await test.openAnother();
      try {
        return await searchPassages(another, input);
      } finally {
        await another.close();
      }
    };

    const store = (title: string, fields: object = {}) =>
      storeEntry(test, acme, {
        title,
        content: `The flux capacitor calibration of ${title}.`,
        ...fields,
      });
    const find = async (
      scope: {
        organization?: TestOrganization;
        appId?: number | undefined;
        tiers?: Visibility[];
      } = {},
      input: { text?: string; place?: Place; limit?: number } = {},
    ): Promise<string[]> => {
      const { passages } = await search({
        text,
        limit: 50,
        ...input,
        scope: {
          organizationId: (scope.organization ?? acme).operator.organizationId,
          appId: 'appId' in scope ? scope.appId : acme.appId,
          tiers: scope.tiers ?? [...visibilities],
        },
      });
      return passages.map(({ title }) => title);
    };

    it('finds entries in the caller’s tiers only, whatever the words', async () => {
      for (const visibility of visibilities) await store(visibility, { visibility });
      assert.deepEqual((await find({ tiers: ['public'] })).sort(), ['public']);
      const signedIn = await find({ tiers: ['public', 'authenticated'] });
      assert.deepEqual(signedIn.sort(), ['authenticated', 'public']);
      assert.deepEqual((await find()).sort(), ['authenticated', 'internal', 'public']);
      const exact = 'The flux capacitor calibration of internal.';
      assert.ok(!(await find({ tiers: ['public'] }, { text: exact })).includes('internal'));
      assert.deepEqual(await find({ tiers: [] }), []);
    });

    it('finds a visible entry even behind many better hidden matches', async () => {
      for (let number = 0; number < 60; number++) {
        await store(`flux capacitor calibration ${number}`, { visibility: 'internal' });
      }
      await store('public', { content: 'A long text that says flux once. '.repeat(20) });
      assert.deepEqual(await find({ tiers: ['public'] }), ['public']);
    });

    it('finds no drafts, and finds entries as soon as they are published', async () => {
      const draft = await store('draft', { status: 'draft' });
      assert.deepEqual(await find(), []);
      await inTransaction(test.app, (app) => publishEntries(app, [draft], 'operator'));
      assert.deepEqual(await find(), ['draft']);
    });

    it('finds entries of one app or of the whole organization, never of another organization', async () => {
      const second = await createApp(test.app, acme.operator, { name: 'Second' });
      const globex = await addOrganization(test, 'Globex');
      await store('first');
      await store('second', { appId: second.id, domain: null });
      await storeEntry(test, globex, { title: 'globex', content: text });
      assert.deepEqual(await find(), ['first']);
      assert.deepEqual(await find({ appId: second.id }), ['second']);
      assert.deepEqual((await find({ appId: undefined })).sort(), ['first', 'second']);
      assert.deepEqual(await find({ organization: globex, appId: undefined }), ['globex']);
      assert.deepEqual(await find({ organization: globex }), []);
      assert.deepEqual(await find({ appId: globex.appId }), []);
    });

    const wordOf = async (word: string, tiers: Visibility[] = ['public']) => {
      const scope = { organizationId: acme.operator.organizationId, appId: acme.appId, tiers };
      const { terms } = await search({
        text: `capacitor ${word}`,
        scope,
        limit: 5,
      });
      const term = terms.find((one) => one.text === word);
      assert.ok(term !== undefined);
      return { known: term.known, weight: term.weight };
    };

    it('treats words of hidden entries like words that appear nowhere', async () => {
      const globex = await addOrganization(test, 'Globex');
      const second = await createApp(test.app, acme.operator, { name: 'Second' });
      await store('open');
      await store('draft', { content: 'plumbus', status: 'draft' });
      await store('internal', { content: 'zirkonia', visibility: 'internal' });
      await store('other app', { content: 'xylophone', appId: second.id, domain: null });
      await storeEntry(test, globex, { title: 'foreign', content: 'quetzalcoatlus' });
      const nowhere = await wordOf('zzplorkium');
      assert.equal(nowhere.known, false);
      for (const word of ['plumbus', 'zirkonia', 'xylophone', 'quetzalcoatlus']) {
        assert.deepEqual(await wordOf(word), nowhere, word);
      }
      assert.equal((await wordOf('zirkonia', ['internal'])).known, true);
    });

    it('corrects a misspelt word whatever words another organization stores', async () => {
      const globex = await addOrganization(test, 'Globex');
      await store('open', { content: 'A password has ten characters.' });
      assert.deepEqual(await find({}, { text: 'passwrd' }), ['open']);
      const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
      const words = letters.flatMap((a) => letters.map((b) => `pas${a}${b}rd passw${a}${b}rd`));
      const content = `${words.join(' ')} passwrd`;
      await storeEntry(test, globex, { title: 'noise', content });
      assert.deepEqual(await find({}, { text: 'passwrd' }), ['open']);
    });

    it('finds no entry whose domain is unclaimed', async () => {
      await store('waiting', { appId: null, domain: 'unclaimed.example' });
      assert.deepEqual(await find({ appId: undefined }), []);
    });

    it('finds no deleted entry, whose index rows are deleted too', async () => {
      const entry = await store('gone', { content: `${text} xylophone` });
      await store('kept');
      await deleteEntry(test.app, acme.operator, entry.uuid);
      assert.deepEqual(await find(), ['kept']);
      const { read } = test.app.db;
      assert.equal((await read('passages').select('id')).length, 1);
      assert.equal((await read('passage_features').select('passage_id')).length, 1);
    });

    it('shows the current pages of an entry in its document', async () => {
      const { id } = await store('moved', { pageFrom: 3, pageTo: 4 });
      const pages = async () => {
        const scope = { ...acme.operator, appId: acme.appId, tiers: [...visibilities] };
        const { passages } = await search({ text, scope, limit: 5 });
        return [passages[0]?.pageFrom, passages[0]?.pageTo];
      };
      assert.deepEqual(await pages(), [3, 4]);
      await updatePages(test.app, id, { pageFrom: 9, pageTo: 10 });
      assert.deepEqual(await pages(), [9, 10]);
    });

    it('ranks entries of the page first and hides none of the rest', async () => {
      const viewId = await addView(test, acme, '/a');
      await store('app', { domain: null });
      await store('domain');
      await store('pattern', { urlPattern: '/a/:id' });
      await store('view', { viewId });
      await store('elsewhere', { urlPattern: '/b' });
      const place: Place = {
        viewId,
        domains: [acme.domain],
        patterns: ['/a/:id'],
        path: '/a/7',
      };
      const there = await find({}, { place });
      assert.deepEqual(there.slice(0, 3), ['view', 'pattern', 'domain']);
      assert.deepEqual([...there].sort(), (await find()).sort());
      assert.equal(there.length, 5);
    });

    it('ranks an answer to the question before an entry of the page', async () => {
      await store('page', { content: 'A capacitor.', title: 'Parts', urlPattern: '/a' });
      await store('answer', { domain: null });
      const place: Place = {
        ...{ viewId: undefined, domains: [acme.domain] },
        ...{ patterns: ['/a'], path: '/a' },
      };
      assert.deepEqual(await find({}, { place }), ['answer', 'Parts']);
    });
  }),
);
