import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { exportOwnData } from '../../src/privacy/export-person.js';
import { addAccount } from '../support/accounts.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

const messages = 950;

describe('The export of a person with many messages', () => {
  let test: TestApp;
  let acme: TestOrganization;

  before(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
  });
  after(() => test.close());

  async function addTalker(name: string) {
    const { organizationId } = acme.operator;
    const { id } = await addAccount(test, acme, name);
    const now = new Date().toISOString();
    const times = { created_at: now, updated_at: now };
    await test.app.db.write('conversations').insert({
      ...{ id: name, organization_id: organizationId, user_id: id, channel: 'api', title: name },
      ...times,
    });
    const rows = Array.from({ length: messages }, (_, index) => ({
      ...{
        conversation_id: name,
        role: 'user',
        status: 'complete',
        language: 'en',
        created_at: now,
      },
      content: `${name} ${index} ${randomBytes(400).toString('base64')}`,
    }));
    await test.app.db.write.batchInsert('messages', rows, 50);
    return { kind: 'user', organizationId, userId: id, role: 'user' } as const;
  }

  it('runs once at a time for each person, so that others do not wait', async () => {
    const eager = await addTalker('eager');
    const other = await addTalker('other');
    const asked = Array.from({ length: 30 }, () => exportOwnData(test.app, eager));
    const begun = exportOwnData(test.app, other);
    const ends = await Promise.allSettled(asked);
    assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.ok((await begun).zip.length > 0);
    await exportOwnData(test.app, eager);
  });

  it('is refused if an organization requests too many at once, while other organizations get theirs', async () => {
    const globex = await addOrganization(test, 'Globex');
    const memberOf = async (of: TestOrganization, name: string) => {
      const { id } = await addAccount(test, of, name);
      const { organizationId } = of.operator;
      return { kind: 'user', organizationId, userId: id, role: 'user' } as const;
    };
    const many = [];
    for (let index = 0; index < 24; index++) many.push(await memberOf(acme, `m${index}`));
    const one = await memberOf(globex, 'one');
    const asked = Promise.allSettled(many.map((actor) => exportOwnData(test.app, actor)));
    assert.ok((await exportOwnData(test.app, one)).zip.length > 0);
    assert.ok((await asked).some(({ status }) => status === 'rejected'));
  });

  it('is complete and in order of creation, is read in slices, and waits for a running export', async () => {
    const talkers = [await addTalker('ada'), await addTalker('grace')];
    await test.app.db.write('messages').whereLike('content', '% 0 %').update({ language: 'es' });
    const read: string[] = [];
    const sizes: number[] = [];
    test.app.db.read.on('query-response', (rows: unknown) => {
      if (!Array.isArray(rows)) return;
      sizes.push(rows.length);
      const [first] = rows as { content?: string }[];
      if (first?.content !== undefined) read.push(first.content.split(' ')[0] ?? '');
    });
    const zips = await Promise.all(talkers.map((actor) => exportOwnData(test.app, actor)));
    for (const [index, { zip }] of zips.entries()) {
      const file = unzipSync(zip)['messages.json'] ?? new Uint8Array();
      const contents = (JSON.parse(strFromU8(file)) as { content: string }[]).map((row) =>
        row.content.split(' ').slice(0, 2).join(' '),
      );
      const name = ['ada', 'grace'][index];
      assert.deepEqual(
        contents,
        Array.from({ length: messages }, (_, number) => `${name} ${number}`),
      );
    }
    assert.ok(Math.max(...sizes) <= 200, `${Math.max(...sizes)} rows at once`);
    assert.ok(new Set(read).size === 2 && read.length >= 10);
    const changes = read.filter((name, index) => index > 0 && name !== read[index - 1]);
    assert.equal(changes.length, 1, `one after the other, not ${read.join(' ')}`);
  });
});
