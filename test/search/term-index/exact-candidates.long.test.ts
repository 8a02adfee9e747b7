import assert from 'node:assert/strict';
import { addEntries, changeEntry, removeEntries } from '../../../src/knowledge/store-entries.js';
import { visibilities, type Visibility } from '../../../src/platform/actor.js';
import type { App } from '../../../src/platform/app.js';
import { inTransaction } from '../../../src/platform/db/in-transaction.js';
import { hashOf } from '../../../src/language/term-features.js';
import { findCandidates } from '../../../src/search/search-passages.js';
import { listAtPage } from '../../../src/search/passages/passages.repository.js';
import { matchesPattern, type Place } from '../../../src/search/passages/place.js';
import { saturated } from '../../../src/search/ranking/score-passage.js';
import type { SearchScope } from '../../../src/search/passages/scope.js';
import { withIndex } from '../../../src/search/term-index/open-index.js';
import { readTerms } from '../../../src/search/term-index/segments.repository.js';
import { understandQuestion } from '../../../src/search/ranking/understand-question.js';
import { rarity, shareOf } from '../../../src/search/ranking/weigh-terms.js';
import { createApp } from '../../../src/tenancy/manage-apps.js';
import { createChance } from '../../support/chance.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';

const chance = createChance(7);
const pick = <T>(all: readonly T[]): T => {
  const [one] = all.slice(Math.floor(chance() * all.length)) as [T];
  return one;
};
/** Some words stand in nearly every passage, some in one. */
const words = Array.from({ length: 3000 }, (_, index) => {
  return `${pick(['pump', 'ventil', 'filtro', 'motor', 'the', 'der', 'los'])}${index > 6 ? index : ''}`;
});
const word = () => words[Math.floor(words.length * chance() ** 4)] ?? '';
const patterns = ['/pump', '/valve/:id', '/docs/*'];

describe('The candidates of a search', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let second: number;
  let globex: TestOrganization;
  before(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
    second = (await createApp(test.app, acme.operator, { name: 'Second' })).id;
    globex = await addOrganization(test, 'Globex');
  });
  after(() => test.close());

  const entry = (organization: TestOrganization) => {
    const inSecond = organization === acme && chance() < 0.2;
    const language = pick(['en', 'es', 'de', 'other'] as const);
    return {
      organizationId: organization.operator.organizationId,
      appId: inSecond ? second : chance() < 0.05 ? null : organization.appId,
      viewId: null,
      domain: inSecond ? null : organization.domain,
      urlPattern: chance() < 0.1 ? pick(patterns) : null,
      title: word(),
      content: Array.from({ length: 3 + Math.floor(chance() * 25) }, word).join(' '),
      language,
      status: chance() < 0.9 ? ('published' as const) : ('draft' as const),
      visibility: pick(visibilities),
      visibilityDefaulted: false,
      ...{ batchId: null, chunkIndex: null, pageFrom: null, pageTo: null },
      changedBy: 'test',
    };
  };
  const store = (number: number, organization: TestOrganization) =>
    inTransaction(test.app, (app) =>
      addEntries(
        app,
        Array.from({ length: number }, () => entry(organization)),
      ),
    );

  /** What they are by definition: every passage is read from the database, and scored by itself. */
  const byDefinition = async (app: App, scope: SearchScope, text: string, place?: Place) => {
    const rows: { id: number; domain: string | null; url_pattern: string | null }[] = await app.db
      .read('passages')
      .where({ organization_id: scope.organizationId, published: true })
      .whereIn('visibility', scope.tiers)
      .where(
        (query) =>
          void (scope.appId === undefined
            ? query.whereNotNull('app_id')
            : query.where('app_id', scope.appId)),
      )
      .orderBy('id')
      .select('id', 'domain', 'url_pattern');
    const terms = new Map(
      (await readTerms(app, scope.organizationId, 0)).map((one) => [one.id, one]),
    );
    const seen = rows.flatMap((row) => {
      const features = terms.get(row.id)?.features.words;
      return features === undefined ? [] : [{ ...row, features }];
    });
    const average = seen.reduce((sum, one) => sum + one.features.length, 0) / seen.length;
    const countIn = (one: (typeof seen)[number], hash: number) => {
      const at = one.features.hashes.indexOf(hash);
      return at === -1 ? 0 : Math.min(15, one.features.counts[at] ?? 0);
    };
    const understood = await withIndex(app, scope, (index) =>
      understandQuestion(app, scope, index, text),
    );
    const holding = (form: string) => seen.filter((one) => countIn(one, hashOf(form)) > 0).length;
    const groups = [
      ...understood.compounds.slice(0, 12).map(({ term }) => {
        return [{ hash: hashOf(term), weight: 0.5 * rarity(seen.length, holding(term)) }];
      }),
      ...understood.terms.map((term) =>
        term.held.map((form) => {
          assert.equal(form.holding, holding(form.term), `counts ${form.term}`);
          return { hash: form.hash, weight: form.weight * shareOf(term, 'words') };
        }),
      ),
    ];
    const scored = seen
      .map((one) => {
        const scores = groups.map((forms) =>
          forms.map(({ hash, weight }) => {
            const count = countIn(one, hash);
            return count === 0 ? 0 : weight * saturated(count, one.features.length, average);
          }),
        );
        return { ...one, score: scores.reduce((sum, own) => sum + Math.max(0, ...own), 0) };
      })
      .filter(({ score }) => score > 1e-12)
      .sort((a, b) => (Math.abs(a.score - b.score) < 1e-9 ? a.id - b.id : b.score - a.score));
    const isHere = (one: (typeof seen)[number]) =>
      place !== undefined &&
      one.url_pattern !== null &&
      matchesPattern(one.url_pattern, place.path) &&
      (one.domain === null || place.domains.includes(one.domain));
    return new Set(
      [...scored.slice(0, 100), ...scored.filter(isHere).slice(0, 100)].map(({ id }) => id),
    );
  };

  const byIndex = (app: App, scope: SearchScope, text: string, place?: Place) =>
    withIndex(app, scope, async (index) => {
      const understood = await understandQuestion(app, scope, index, text);
      const atPage =
        place === undefined
          ? new Uint32Array(0)
          : await listAtPage(app, scope.organizationId, place);
      return new Set(await findCandidates(app, index, understood, { atPage, exhaustive: false }));
    });

  const compare = async (questions: number) => {
    // A process of its own begins with nothing in memory, as a command does.
    const command = await test.openAnother();
    try {
      for (let asked = 0; asked < questions; asked++) {
        const organization = pick([acme, acme, globex]);
        const tiers: Visibility[] = visibilities.slice(0, 1 + Math.floor(chance() * 3));
        const appId = pick([undefined, organization.appId, second]);
        const scope = { organizationId: organization.operator.organizationId, appId, tiers };
        const text = Array.from({ length: 1 + Math.floor(chance() * 8) }, word).join(' ');
        const pattern = pick(patterns);
        const place: Place | undefined = pick([
          undefined,
          {
            viewId: undefined,
            domains: [organization.domain],
            patterns: [pattern],
            path: pattern,
          },
        ]);
        const expected = await byDefinition(test.app, scope, text, place);
        assert.deepEqual(await byIndex(test.app, scope, text, place), expected, text);
        assert.deepEqual(await byIndex(command, scope, text, place), expected, text);
      }
    } finally {
      await command.close();
    }
  };

  it('are the best visible passages by the documented score, while the index changes', async () => {
    let total = 0;
    for (const number of [50, 350, 1500, 2100, 2000]) {
      const entries = await store(number, acme);
      await store(20, globex);
      total += number;
      await compare(6);
      const gone = entries.filter(() => chance() < 0.3);
      await inTransaction(test.app, async (app) => {
        await removeEntries(
          app,
          gone.map(({ id }) => id),
        );
        const [one] = entries.filter((kept) => !gone.includes(kept));
        assert.ok(one);
        await changeEntry(app, one, { visibility: 'internal', content: 'pump pump8' }, 'test');
      });
      await compare(6);
    }
    assert.equal(total, 6000);
    const segments = (await test.app.db.read('term_segments').pluck('id')) as number[];
    assert.ok(segments.length >= 2, 'stored segments were among them');
  }).timeout(120_000);

  it('include the passage of the asker’s page, however many others match better', async () => {
    const alarms = Array.from({ length: 150 }, (_, index) => ({
      ...{ ...entry(acme), appId: acme.appId, domain: acme.domain, urlPattern: null },
      ...{ status: 'published' as const, visibility: 'public' as const, language: 'en' as const },
      title: `Alarm ${index}`,
      content: 'Reset the alarm.',
    }));
    const [first] = alarms;
    assert.ok(first);
    const own = {
      ...{ ...first, title: 'Pump', urlPattern: '/pump-alarm' },
      content: `${'The pump moves water through the building. '.repeat(15)} Reset the alarm here.`,
    };
    const stored = await inTransaction(test.app, (app) => addEntries(app, [...alarms, own]));
    const place: Place = {
      ...{ viewId: undefined, domains: [acme.domain], patterns: ['/pump-alarm'] },
      path: '/pump-alarm',
    };
    const { organizationId } = acme.operator;
    const scope: SearchScope = { organizationId, appId: acme.appId, tiers: ['public'] };
    const found = await byIndex(test.app, scope, 'How do I reset the alarm?', place);
    const passages = (await test.app.db
      .read('passages')
      .where({ entry_id: stored.at(-1)?.id })
      .pluck('id')) as number[];
    assert.ok(passages.some((id) => found.has(id)));
  });
});
