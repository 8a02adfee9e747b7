import assert from 'node:assert/strict';
import { flag, json, nullableFlag, plain, record, table } from '../../../src/platform/db/record.js';
import { openTestApp } from '../../support/test-app.js';

describe('A stored record', () => {
  const things = record({
    id: plain<number>(),
    ownerUserId: plain<number | null>(),
    document: plain<string | null>('source_document'),
    isOpen: flag(),
    found: nullableFlag(),
    words: json<string[]>(),
  });

  it('is read only from its own columns', () => {
    const row = { id: 1, owner_user_id: null, source_document: 'a.pdf', is_open: 0, found: null };
    assert.deepEqual(things.read({ ...row, words: '["x"]', secret: 'y', ownerUserId: 7 }), {
      ...{ id: 1, ownerUserId: null, document: 'a.pdf', isOpen: false, found: null },
      words: ['x'],
    });
    assert.equal(things.read({ ...row, words: '[]', found: 1 }).found, true);
  });

  it('is written only to its own columns, and undefined values are not written', () => {
    const given = { ownerUserId: 2, document: undefined, words: ['é'], other: 1 };
    assert.deepEqual(things.columns(given), { owner_user_id: 2, words: '["é"]' });
    assert.deepEqual(things.columns({ id: 3, isOpen: true }), { id: 3, is_open: true });
  });

  it('keeps its id and its organization in a change', () => {
    const others = record({ id: plain<number>(), organizationId: plain<number>(), isOpen: flag() });
    const whole = { id: 3, organizationId: 2, isOpen: true };
    assert.deepEqual(others.changes(whole), { is_open: true });
  });

  it('is found by conditions that have a value alone', async () => {
    const test = await openTestApp();
    const apps = table('apps', { id: plain<number>(), organizationId: plain<number>() });
    const whose: { organizationId?: number } = {};
    Object.assign(whose, { organizationId: undefined });
    await assert.rejects(
      apps.find(test.app, { id: 1, ...whose }),
      /a condition on apps has no value/,
    );
    await assert.rejects(apps.find(test.app, {}), /a condition on apps has no value/);
    await test.close();
  });
});
