import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { de } from '../../../src/backoffice/texts/de.js';
import { packageRoot } from '../../../src/platform/package-root.js';
import { fileRequest } from '../../../src/requests/file-request.js';
import { updateRequest } from '../../../src/requests/update-request.js';
import { recordChanges } from '../../../src/audit/record-change.js';
import { storeEntry } from '../../support/stored-entry.js';
import { createTestClock, type TestClock } from '../../support/test-clock.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('The page of changes', () => {
  let test: TestApp & { url: string };
  let clock: TestClock;
  let acme: TestOrganization;
  let ada: TestUser;
  let ben: TestUser;
  let browser: PageClient;

  beforeEach(async () => {
    clock = createTestClock();
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'admin');
    ben = await addUser(test, acme, 'backoffice');
    browser = openPageClient(test.url);
    await browser.signIn(ada);
    const form = { do: 'save', email: ben.email, display_name: 'Ben <b>', role: 'user' };
    await browser.send(`/people/${ben.id}`, form);
  });
  afterEach(() => test.close());

  it('shows who changed what, field by field, with names', async () => {
    const { text } = await browser.open('/changes');
    assert.match(text, /Person: changed/);
    assert.match(text, /<dt>role<\/dt><dd><del>Operator<\/del> → <ins>User<\/ins>/);
    assert.match(text, /<ins>Ben &lt;b><\/ins>/);
    // The page names the author and the person.
    assert.match(text, new RegExp(`user:${ben.id}</a> Ben &lt;b>`));
    assert.match(text, new RegExp(`person=user%3A${ada.id}">admin-`));
    assert.match(text, /Operator, on the command line/);
  });

  it('has words for every recorded action, and for the states and fields of an answered question', async () => {
    const source = join(packageRoot(), 'src');
    const files = await readdir(source, { recursive: true });
    const texts = await Promise.all(
      files
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFile(join(source, name), 'utf8')),
    );
    const actions = texts.flatMap((text) =>
      [...text.matchAll(/action: '(\w+)\.(\w+)'/g)].map(([, kind = '', verb = '']) => [kind, verb]),
    );
    assert.ok(actions.length >= 30);
    const { kinds, verbs } = de.changes;
    const wordless = actions.filter(([kind = '', verb = '']) => !(kind in kinds && verb in verbs));
    assert.deepEqual(wordless, []);
    const { id } = await fileRequest(test.app, acme.operator, { question: 'Who feeds it?' });
    const answer = { status: 'resolved', response: 'Ada.' } as const;
    await updateRequest(test.app, acme.operator, id, answer);
    const { text } = await browser.open(`/changes?thing=request:${id}`, {
      'accept-language': 'de',
    });
    assert.match(text, /<del>Offen<\/del> → <ins>Beantwortet<\/ins>/);
    assert.match(text, /<dt>beantwortet von</);
    assert.doesNotMatch(text, /resolved/);
  });

  it('names the filters of an export in its own language', async () => {
    const form = { do: 'export', format: 'csv', q: 'refund', rating: 'down', found: 'false' };
    await browser.send('/conversations', form);
    const { text } = await browser.open('/changes', { 'accept-language': 'de' });
    for (const name of ['Format', 'Wörter', 'Meinung', 'beantwortet'])
      assert.match(text, RegExp(`<dt>${name}<`));
    assert.doesNotMatch(text, /<dt>(?:entries|default knowledge visibility)</);
  });

  it('filters changes by person, kind, thing and days', async () => {
    const count = async (query: string) =>
      [...(await browser.open(`/changes?${query}`)).text.matchAll(/<th scope="row"/g)].length;
    assert.equal(await count(`person=${ada.email}`), 1);
    assert.equal(await count(`person=user:${ada.id}&kind=entry`), 0);
    assert.equal(await count('person=nobody@example.com'), 0);
    assert.equal(await count('kind=user&person=operator'), 2);
    assert.equal(await count(`thing=user:${ben.id}`), 2);
    const today = clock.now().toISOString().slice(0, 10);
    assert.ok((await count(`from=${today}&to=${today}`)) > 0);
    assert.equal(await count('to=2001-01-01'), 0);
    assert.ok((await count('from=yesterday')) > 0);
  });

  it('exports all changes as CSV, without formulas', async () => {
    await storeEntry(test, acme, { title: '=HYPERLINK("x")', content: 'A, "quoted"\ntext' });
    const { organizationId } = acme.operator;
    const made = Array.from({ length: 1200 }, (_, index) => ({
      ...{ organizationId, action: 'entry.update', subject: `=entry:${index}` },
      ...{ before: { title: 'a' }, after: { title: `b${index}` } },
    }));
    await recordChanges(test.app, acme.operator, made);
    const { text, headers } = await browser.open('/changes/csv?kind=entry');
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    const lines = text.split('\r\n');
    assert.equal(lines[0], 'When,Who,What,Thing,Difference');
    const subjects = new Set([...text.matchAll(/'=entry:(\d+)/g)].map((match) => match[1]));
    assert.equal(subjects.size, 1200);
    assert.ok(lines.every((line) => !/(^|,)"?[=+\-@\t]/.test(line)));
  });

  it('shows no changes of another organization', async () => {
    const stranger = openPageClient(test.url);
    await stranger.signIn(await addUser(test, await addOrganization(test, 'Other'), 'admin'));
    for (const path of ['/changes', '/changes/csv']) {
      const { status, text } = await stranger.open(path);
      assert.deepEqual([status, text.includes(ben.email)], [200, false]);
    }
  });

  it('does not exist for backoffice users', async () => {
    const other = await addOrganization(test, 'Other');
    const operator = openPageClient(test.url);
    await operator.signIn(await addUser(test, other, 'backoffice'));
    for (const path of ['/changes', '/changes/csv'])
      assert.equal((await operator.open(path)).status, 404);
  });
});
