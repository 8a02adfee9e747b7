import assert from 'node:assert/strict';
import { visibilities } from '../../src/platform/actor.js';
import { walkConversationList } from '../../src/conversations/read-conversations.js';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import { queryPage } from '../../src/knowledge/query-page.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { searchPassages } from '../../src/search/search-passages.js';
import { embedDuePassages } from '../../src/search/vectors/embed-due-passages.js';
import { createChance } from '../support/chance.js';
import { meaningOf } from '../support/ollama-stand-in-embeddings.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { startTestPostgres, type PostgresServer } from '../support/postgres-server.js';
import { storeEntry } from '../support/stored-entry.js';
import { storeTalk } from '../support/stored-talk.js';
import { addOrganization, openTestApp, type TestApp } from '../support/test-app.js';

const words =
  'pump valve filter motor sensor Ventil Filter motores válvula refund the of and for über día station alarm 17 42 A-7'.split(
    ' ',
  );
const pages = ['/a/*', '/b/*', null];

describe('SQLite and PostgreSQL', () => {
  let server: PostgresServer;
  let ollama: OllamaStandIn;
  const tests: TestApp[] = [];

  before(async () => {
    server = await startTestPostgres();
    ollama = await startOllamaStandIn({
      models: ['all-minilm:latest'],
      embed: meaningOf({ dimension: 64, seed: 5 }),
    });
  });
  after(async () => {
    await ollama.stop();
    await server.stop();
  });
  afterEach(async () => {
    for (const test of tests.splice(0)) await test.close();
  });

  [1, 2, 3].forEach((seed) =>
    it(`find the same in the same order, after the same random changes (seed ${seed})`, async () => {
      for (const postgres of ['', server.url]) {
        const settings = { ollama: { url: ollama.url, embedding_model: 'all-minilm' } };
        tests.push(await openTestApp(settings, undefined, undefined, postgres));
      }
      const lists = [];
      for (const test of tests) lists.push(await runScript(test, seed));
      assert.ok(lists[0]?.some((found) => found.includes('"score"')));
      assert.deepEqual(lists[1], lists[0]);
    }),
  );
});

/** Stores, changes and deletes at random, and asks in between. What each question found, without what differs by chance. */
async function runScript(test: TestApp, seed: number): Promise<string[]> {
  const chance = createChance(seed * 7919);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T;
  const text = (length: number) => Array.from({ length }, () => pick(words)).join(' ');
  const acme = await addOrganization(test);
  await addOrganization(test, 'Umbrella');
  const { organizationId } = acme.operator;
  const entries: { id: number; uuid: string }[] = [];
  const found: string[] = [];
  const keep = (what: unknown) =>
    found.push(
      JSON.stringify(what, (key, value: unknown) =>
        /uuid|_at$|At$|version/i.test(key) || (key === 'id' && typeof value === 'string')
          ? undefined
          : value,
      ),
    );
  for (let step = 0; step < 120; step += 1) {
    const dice = chance();
    const chosen = pick(entries.length === 0 ? [undefined] : entries);
    const fields = { title: text(3), content: `${text(20 + Math.floor(chance() * 300))}.` };
    if (dice < 0.4 || chosen === undefined) {
      const visibility = pick(visibilities);
      const status = chance() < 0.8 ? 'published' : 'draft';
      const place = { urlPattern: pick(pages), visibility, status } as const;
      entries.push(await storeEntry(test, acme, { ...fields, ...place }));
    } else if (dice < 0.5) {
      await updateEntry(test.app, acme.operator, chosen.uuid, fields);
    } else if (dice < 0.55) {
      await updateEntry(test.app, acme.operator, chosen.uuid, { visibility: pick(visibilities) });
    } else if (dice < 0.6) {
      await deleteEntry(test.app, acme.operator, chosen.uuid);
      entries.splice(entries.indexOf(chosen), 1);
    } else if (dice < 0.65) {
      const at = new Date(Date.UTC(2026, 10, 1, 0, step)).toISOString();
      await storeTalk(test.app, { organizationId, appId: acme.appId, at, question: text(6) });
    } else if (dice < 0.7) {
      await embedDuePassages(test.app);
    } else if (dice < 0.75) {
      const q = pick(words);
      const { items } = await walkConversationList(test.app, acme.operator, { q, limit: 50 });
      keep(items.map(({ title }) => title));
    } else if (dice < 0.8) {
      const url = `https://${acme.domain}${pick(['/a/x', '/b/y', '/c'])}`;
      keep(await queryPage(test.app, acme.operator, { url }));
    } else {
      const tiers = visibilities.slice(0, 1 + Math.floor(chance() * visibilities.length));
      const scope = { organizationId, appId: acme.appId, tiers };
      keep((await searchPassages(test.app, { text: text(4), scope, limit: 20 })).passages);
    }
  }
  return found;
}
