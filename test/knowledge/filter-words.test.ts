import assert from 'node:assert/strict';
import { listEntries } from '../../src/knowledge/read-entries.js';
import type { Actor } from '../../src/platform/actor.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('The words of a filter', () => {
  let test: TestApp;
  let acme: TestOrganization;
  before(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
    const content = 'Invoice INV-2041 was printed on part 8071 by server.port_name with --dry-run.';
    await storeEntry(test, acme, { title: 'Port', content });
  });
  after(() => test.close());

  const titles = async (q: string, actor: Actor = acme.operator) =>
    (await listEntries(test.app, actor, { q, page: 1, limit: 20 })).items.map(({ title }) => title);

  for (const q of ['INV-20', '807', 'server.po', 'por', 'prin', '--dry', 'port print', 'PORT_NA']) {
    it(`find an entry by the beginnings of its words: ${q}`, async () => {
      assert.deepEqual(await titles(q), ['Port']);
    });
  }

  it('find nothing if one of them occurs nowhere', async () => {
    assert.deepEqual(await titles('port zeppelin'), []);
  });

  it('find the same entries for a reader, whatever hidden entries contain', async () => {
    await storeEntry(test, acme, { title: 'Open', content: 'The project of phoenix is fine.' });
    const { id: userId } = await addUser(test, acme, 'user');
    const { organizationId } = acme.operator;
    const reader: Actor = { kind: 'user', organizationId, userId, role: 'user' };
    assert.deepEqual(await titles('phoenix.project', reader), ['Open']);
    const hidden = { title: 'Merger', content: 'The phoenix.project starts in May.' };
    await storeEntry(test, acme, { ...hidden, visibility: 'internal' });
    assert.deepEqual(await titles('phoenix.project', reader), ['Open']);
  });
});
