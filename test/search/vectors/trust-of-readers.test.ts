import assert from 'node:assert/strict';
import type { Visibility } from '../../../src/platform/actor.js';
import { updateEntry } from '../../../src/knowledge/update-entry.js';
import { readVectors } from '../../../src/search/vectors/describe-vectors.js';
import { embedDuePassages } from '../../../src/search/vectors/embed-due-passages.js';
import { storeEntry } from '../../support/stored-entry.js';
import { addOrganization, type TestOrganization } from '../../support/test-app.js';
import { embeddedApp } from './embedded-app.js';

describe('The trust in vectors for a reader', () => {
  const on = embeddedApp();
  const subjects = Array.from({ length: 40 }, (_, index) => `subject${index}`);
  const numberIn = (word: string) => Number(/\d+$/.exec(word)?.[0] ?? 0);

  beforeEach(async () => {
    await on.reopen({ embedding_batch: 64 });
    // Each number is a direction: this model finds what belongs together, where no word is shared.
    on.ollama.embed = (text) => {
      const vector = new Array<number>(64).fill(0.01);
      for (const [word] of text.matchAll(/[a-z]+\d+/g)) {
        const at = numberIn(word) % vector.length;
        vector[at] = (vector[at] ?? 0) + 1;
      }
      return vector;
    };
    await on.store('Oiling', 'The pump1 is oiled with class2 each month3.');
    await on.store('Backups', 'The server4 keeps its copies5 for thirty days6.');
    await on.store('Badges', 'A lost badge7 is reported at the gate8.');
  });

  const embed = () => embedDuePassages(on.test.app);
  const told = (index: number) =>
    `The foo${index} runs with foo${index} inside here. Our bar${index} belongs to bar${index} today. My zap${index} stands beside zap${index} there.`;
  const told40 = async (organization: TestOrganization, fields: object = {}) => {
    const stored = [];
    for (const [index, title] of subjects.entries()) {
      const entry = { title, content: told(index), ...fields };
      stored.push(await storeEntry(on.test, organization, entry));
    }
    return stored;
  };
  const trustOf = async (tiers: Visibility[], organization = on.acme) => {
    const [first] = await on.find('the pump1', { tiers, organization });
    return { trust: first?.parts.trust, judged: first?.parts.judged };
  };
  const unjudged = { trust: 0.5, judged: false };
  /** All that a search gives, of what ids may tell nothing. */
  const seen = async () => {
    const questions = ['which pump1', 'the server4', 'badge7 or copies5', 'thirty days6'];
    const scope = { tiers: ['public'] as Visibility[] };
    return Promise.all(questions.map((question) => on.find(question, scope)));
  };

  it('does not depend on other organizations, tiers or drafts that the reader can’t see', async () => {
    await embed();
    const before = await seen();
    assert.deepEqual(await trustOf(['public']), unjudged);
    await told40(await addOrganization(on.test, 'Globex'));
    await told40(on.acme, { visibility: 'authenticated' });
    await told40(on.acme, { visibility: 'internal' });
    await told40(on.acme, { status: 'draft' });
    await embed();
    assert.deepEqual(await seen(), before);
    const all = await trustOf(['public', 'authenticated', 'internal']);
    assert.ok(all.judged === true && (all.trust ?? 0) > 0.5, JSON.stringify(all));
  });

  it('is estimated from visible passages only, whatever nonsense stands beside them', async () => {
    await told40(on.acme);
    await embed();
    const before = await seen();
    const { trust, judged } = await trustOf(['public']);
    assert.ok(judged === true && (trust ?? 0) > 0.5, `${trust}`);
    const globex = await addOrganization(on.test, 'Globex');
    for (const [index, title] of subjects.entries()) {
      const content = `The alpha${index} runs. Our beta${index + 20} stands. My gamma${index + 40} lies.`;
      await storeEntry(on.test, globex, { title, content });
      await on.store(title, content, { visibility: 'internal' });
      await on.store(title, content, { status: 'draft' });
    }
    await embed();
    assert.deepEqual(await seen(), before);
    await on.test.app.db.write('vector_trust').delete();
    await embed();
    assert.deepEqual(await seen(), before);
    const others = [await trustOf(['public'], globex), await trustOf(['public', 'internal'])];
    for (const other of others) assert.ok((other.trust ?? 0) < (trust ?? 0), `${other.trust}`);
  });

  it('is estimated when there are enough visible passages, and dropped when there are too few', async () => {
    const drafts = await told40(on.acme, { status: 'draft' });
    await embed();
    assert.deepEqual(await trustOf(['public']), unjudged);
    const publish = async (status: 'published' | 'draft') => {
      for (const { uuid } of drafts) {
        await updateEntry(on.test.app, on.acme.operator, uuid, { status });
      }
      await embed();
    };
    await publish('published');
    assert.equal((await trustOf(['public'])).judged, true);
    await publish('draft');
    assert.deepEqual(await trustOf(['public']), unjudged);
  });

  it('of staff is dropped with the last internal entry', async () => {
    await told40(on.acme);
    const { uuid } = await on.store('Note', told(50), { visibility: 'internal' });
    await embed();
    const tiers = () =>
      on.test.app.db.read('vector_trust').orderBy('visibility').pluck('visibility');
    assert.deepEqual(await tiers(), ['internal', 'public']);
    await updateEntry(on.test.app, on.acme.operator, uuid, { visibility: 'public' });
    await embed();
    assert.deepEqual(await tiers(), ['public']);
    assert.equal((await trustOf(['public', 'authenticated', 'internal'])).judged, true);
  });

  it('is estimated after an upgrade without new embeddings', async () => {
    await told40(on.acme);
    await embed();
    const before = await trustOf(['public']);
    // As the migration leaves it.
    await on.test.app.db.write('vector_trust').delete();
    assert.deepEqual(await trustOf(['public']), unjudged);
    assert.deepEqual(await embed(), { embedded: 0, elsewhere: false });
    assert.deepEqual(await trustOf(['public']), before);
    const [live] = (await readVectors(on.test.app, on.acme.operator)).generations;
    assert.deepEqual(live?.trust, { en: before.trust });
  });
});
