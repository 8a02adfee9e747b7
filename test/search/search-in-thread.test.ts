import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { visibilities } from '../../src/platform/actor.js';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { createSearchThread, type SearchThread } from '../../src/search/search-in-thread.js';
import { matchAllWords } from '../../src/search/ranking/match-all-words.js';
import { searchPassages, type SearchInput } from '../../src/search/search-passages.js';
import { embedDuePassages } from '../../src/search/vectors/embed-due-passages.js';
import { createChance } from '../support/chance.js';
import { meaningOf } from '../support/ollama-stand-in-embeddings.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

const words = 'pump valve filter motor sensor Ventil válvula refund the of and für alarm 17'.split(
  ' ',
);

describe('A search in a thread', () => {
  let ollama: OllamaStandIn;
  let test: TestApp;
  let acme: TestOrganization;
  const threads: SearchThread[] = [];
  before(async () => {
    ollama = await startOllamaStandIn({
      models: ['all-minilm:latest'],
      embed: meaningOf({ dimension: 64, seed: 5 }),
    });
    test = await openTestApp({ ollama: { url: ollama.url, embedding_model: 'all-minilm' } });
    acme = await addOrganization(test);
  });
  after(async () => {
    for (const thread of threads) await thread.close();
    await test.close();
    await ollama.stop();
  });

  const withThread = (program?: URL) => {
    const searchThread = createSearchThread(test.app, program);
    threads.push(searchThread);
    return { ...test.app, searchThread };
  };
  const inputFor = (text: string, more: Partial<SearchInput> = {}): SearchInput => {
    const { organizationId } = acme.operator;
    const scope = { organizationId, appId: acme.appId, tiers: [...visibilities] };
    return { text, scope, limit: 20, ...more };
  };

  it('finds the same as without one, after each change, by words and by meaning', async () => {
    const app = withThread();
    const chance = createChance(11);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T;
    const text = (length: number) => Array.from({ length }, () => pick(words)).join(' ');
    const { organizationId } = acme.operator;
    let byMeaning = 0;
    for (let step = 0; step < 30; step++) {
      const place = { visibility: pick(visibilities), urlPattern: pick(['/a/*', '/b', null]) };
      const content = `${text(20 + Math.floor(chance() * 300))}.`;
      const { uuid } = await storeEntry(test, acme, { title: text(3), content, ...place });
      if (chance() < 0.2) await deleteEntry(test.app, acme.operator, uuid);
      if (chance() < 0.3) await embedDuePassages(test.app);
      const tiers = visibilities.slice(0, 1 + Math.floor(chance() * visibilities.length));
      const page = { viewId: undefined, domains: [acme.domain], patterns: ['/a/*'], path: '/a/7' };
      const input = inputFor(text(4), {
        scope: { organizationId, appId: acme.appId, tiers },
        place: pick([page, undefined]),
      });
      const expected = await searchPassages(test.app, input);
      assert.deepEqual(await searchPassages(app, input), expected);
      byMeaning += expected.passages.filter(({ parts }) => parts.vector !== null).length;
      const word = pick(words);
      assert.deepEqual(
        await matchAllWords(app, organizationId, tiers, word),
        await matchAllWords(test.app, organizationId, tiers, word),
      );
    }
    assert.ok(byMeaning > 0);
  });

  it('is found by another thread, or by none, when its own ends', async () => {
    await storeEntry(test, acme, { title: 'Gasket', content: 'Replace the gasket yearly.' });
    const input = inputFor('gasket');
    const expected = await searchPassages(test.app, input);
    const ending = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => process.exit(1));`;
    const always = withThread(new URL(`data:text/javascript,${encodeURIComponent(ending)}`));
    assert.deepEqual(
      await Promise.all([searchPassages(always, input), searchPassages(always, input)]),
      [expected, expected],
    );
    const program = new URL('../../src/search/search-thread.js', import.meta.url);
    const once = `import { existsSync, writeFileSync } from 'node:fs';
      const mark = ${JSON.stringify(join(test.folder, 'mark'))};
      if (existsSync(mark)) await import(${JSON.stringify(pathToFileURL(program.pathname).href)});
      else { writeFileSync(mark, ''); process.exit(1); }`;
    const restarted = withThread(new URL(`data:text/javascript,${encodeURIComponent(once)}`));
    const found = await restarted.searchThread.run(({ call }) => call('searchPassages', input));
    assert.deepEqual(found, expected);
  });

  it('runs the one file that an installation has', async () => {
    const bundled = join(packageRoot(), 'dist/cli/search/search-thread.js');
    const { searchThread } = withThread(pathToFileURL(bundled));
    const input = inputFor('gasket');
    assert.deepEqual(
      await searchThread.run(({ call }) => call('searchPassages', input)),
      await searchPassages(test.app, input),
    );
  });

  it('tells errors of the database as one without a thread does', async () => {
    const app = withThread();
    const { write } = test.app.db;
    await write.raw('alter table vocabulary rename to hidden');
    try {
      await assert.rejects(searchPassages(app, inputFor('compressor')), /vocabulary/);
    } finally {
      await write.raw('alter table hidden rename to vocabulary');
    }
  });
});
