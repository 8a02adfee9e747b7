import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { listEntries, type EntryListInput } from '../../src/knowledge/read-entries.js';
import type { Actor } from '../../src/platform/actor.js';
import { storeEntry } from '../support/stored-entry.js';
import { addOrganization, openTestApp, type TestApp } from '../support/test-app.js';

describe('A list of entries', () => {
  let test: TestApp;
  let operator: Actor;
  const batchId = randomUUID();

  before(async () => {
    test = await openTestApp();
    const acme = await addOrganization(test);
    operator = acme.operator;
    const at = '2026-11-01T10:00:00.000Z';
    await test.app.db.write('ingestion_batches').insert({
      ...{ id: batchId, organization_id: acme.operator.organizationId, app_id: acme.appId },
      ...{ file_name: 'a_b.pdf', file_sha256: 'x', file_size: 1, status: 'completed' },
      ...{ created_at: at, updated_at: at, created_by: 'operator', document: 'd' },
    });
    const content = 'Text.';
    await storeEntry(test, acme, {
      ...{ title: 'Stated', content, language: 'en', batchId },
      document: 'domain:acme.example/manuals/a_b.pdf',
    });
    await storeEntry(test, acme, {
      ...{ title: 'Plain', content, language: 'de', document: 'domain:acme.example/a_b.pdf' },
    });
    await storeEntry(test, acme, {
      ...{ title: 'Near', content, language: 'de', document: 'domain:acme.example/axb.pdf' },
    });
    await storeEntry(test, acme, { title: 'By hand', content, language: 'de' });
    const other = await addOrganization(test, 'Other');
    await storeEntry(test, other, {
      ...{ title: 'Theirs', content, language: 'de', document: 'domain:other.example/a_b.pdf' },
    });
  });
  after(() => test.close());

  const titles = async (filter: Partial<EntryListInput>, actor = operator) =>
    (await listEntries(test.app, actor, { ...filter, page: 1, limit: 9 })).items.map(
      ({ title }) => title,
    );

  it('can be filtered by language, together with other filters', async () => {
    assert.deepEqual(await titles({ language: 'de' }), ['Plain', 'Near', 'By hand']);
    assert.deepEqual(await titles({ language: 'en', document: 'a_b.pdf' }), ['Stated']);
    assert.deepEqual(await titles({ language: 'de', status: 'draft' }), []);
    assert.deepEqual(await titles({ language: 'es' }), []);
  });

  it('can be filtered by a part of the document’s name, in any case, or by the batch’s id', async () => {
    assert.deepEqual(await titles({ document: 'a_b.pdf' }), ['Stated', 'Plain']);
    assert.deepEqual(await titles({ document: 'manuals/A_B.pdf' }), ['Stated']);
    assert.deepEqual(await titles({ document: 'domain:acme.example/a_b.pdf' }), ['Plain']);
    assert.deepEqual(await titles({ document: 'B.PDF' }), ['Stated', 'Plain', 'Near']);
    assert.deepEqual(await titles({ document: '_b' }), ['Stated', 'Plain']);
    assert.deepEqual(await titles({ document: 'c.pdf' }), []);
    assert.deepEqual(await titles({ document: batchId }), ['Stated']);
    assert.deepEqual(await titles({ document: 'a_b.pdf', q: 'text', sort: 'title' }), [
      ...['Plain', 'Stated'],
    ]);
  });

  it('can’t be filtered by document for readers, who may not see the names of files', async () => {
    if (operator.kind !== 'operator') throw new Error('no operator');
    const { organizationId } = operator;
    const reader: Actor = { kind: 'user', organizationId, userId: 1, role: 'user' };
    assert.deepEqual(await titles({ document: 'a_b.pdf' }, reader), []);
    assert.deepEqual(await titles({ language: 'en' }, reader), ['Stated']);
  });
});
