import assert from 'node:assert/strict';
import { deleteEntry } from '../../../src/knowledge/delete-entry.js';
import { visibilities } from '../../../src/platform/actor.js';
import { inTransaction } from '../../../src/platform/db/in-transaction.js';
import { updateEligibility } from '../../../src/search/passages/passages.repository.js';
import { embedDuePassages } from '../../../src/search/vectors/embed-due-passages.js';
import { createApp } from '../../../src/tenancy/manage-apps.js';
import { storeEntry } from '../../support/stored-entry.js';
import { addOrganization } from '../../support/test-app.js';
import { embeddedApp } from './embedded-app.js';

describe('A search by vectors', () => {
  const on = embeddedApp();
  const question = 'automobile';
  const embed = () => embedDuePassages(on.test.app);

  it('finds the same meaning in other words, and states the similarity', async () => {
    await on.store('Garage', 'Where the car is kept.');
    await on.store('Kennel', 'Where the dog sleeps.');
    assert.deepEqual(await on.find(question), []);
    await embed();
    const found = await on.find(question);
    assert.equal(found[0]?.title, 'Garage');
    assert.equal(found[0].parts.wordRank, null);
    assert.equal(found[0].parts.vectorRank, 1);
    assert.equal(found[0].coverage, 0);
    assert.ok((found[0].parts.vector ?? 0) > (found[1]?.parts.vector ?? 1));
  });

  it('finds nothing of another organization, even if it is the nearest', async () => {
    const other = await addOrganization(on.test, 'Globex');
    await storeEntry(on.test, other, { title: 'Foreign', content: 'automobile' });
    await on.store('Own', 'Where the car is kept.');
    await embed();
    assert.deepEqual(await on.near(question), ['Own']);
    assert.deepEqual(await on.near(question, { organization: other }), ['Foreign']);
  });

  it('finds entries in the caller’s tiers only, and follows each change at once', async () => {
    for (const visibility of visibilities) {
      await on.store(visibility, `The car of ${visibility}.`, { visibility });
    }
    await embed();
    assert.deepEqual(await on.near(question, { tiers: ['public'] }), ['public']);
    const two = await on.near(question, { tiers: ['public', 'authenticated'] });
    assert.deepEqual(two.sort(), ['authenticated', 'public']);
    assert.deepEqual(await on.near(question, { tiers: [] }), []);
    assert.equal((await on.near(question)).length, 3);
  });

  it('finds a visible entry behind a thousand nearer hidden ones', async () => {
    // One long entry: each of its sentences is a passage of its own.
    const sentence = `Automobile ${'automobile '.repeat(110).trim()}. `;
    await on.store('Secret', sentence.repeat(1010), { visibility: 'internal' });
    await on.store('Open', 'This page says in its last sentence where the car is kept.');
    await on.reopen({ embedding_batch: 512 });
    assert.ok((await embed()).embedded > 1000);
    assert.deepEqual(await on.near(question, { tiers: ['public'] }), ['Open']);
  });

  it('finds no drafts, and finds a republished entry without embedding it again', async () => {
    const entry = await on.store('Draft', 'Where the car is kept.', { status: 'draft' });
    await embed();
    assert.deepEqual(await on.near(question), []);
    const published = { published: true };
    await inTransaction(on.test.app, (app) => updateEligibility(app, [entry.id], published));
    assert.deepEqual(await on.near(question), ['Draft']);
    await inTransaction(on.test.app, (app) =>
      updateEligibility(app, [entry.id], { published: false }),
    );
    assert.deepEqual(await on.near(question), []);
  });

  it('finds entries of the requested app or of no app', async () => {
    const { id } = await createApp(on.test.app, on.acme.operator, { name: 'Second' });
    await on.store('First', 'Where the car is kept.');
    await on.store('Second', 'Where the car is sold.', { appId: id, domain: null });
    await on.store('Waiting', 'Where the car waits.', { appId: null, domain: 'unclaimed.example' });
    await embed();
    assert.deepEqual(await on.near(question), ['First']);
    assert.deepEqual(await on.near(question, { appId: id }), ['Second']);
  });

  it('finds nothing of a deleted entry, whose vectors are deleted too', async () => {
    const entry = await on.store('Gone', 'Where the car is kept.');
    await on.store('Stays', 'Where the dog sleeps.');
    await embed();
    await deleteEntry(on.test.app, on.acme.operator, entry.uuid);
    assert.deepEqual(await on.near(question), ['Stays']);
    for (const table of ['passage_vectors', 'passage_vector_codes']) {
      assert.equal((await on.test.app.db.read(table)).length, 1, table);
    }
  });
});
