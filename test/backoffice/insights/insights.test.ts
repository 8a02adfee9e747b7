import assert from 'node:assert/strict';
import { storeTalk, type StoredTalk } from '../../support/stored-talk.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('The insights page', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let browser: PageClient;

  beforeEach(async () => {
    test = await serveTestApp({});
    acme = await addOrganization(test);
    browser = openPageClient(test.url);
    await browser.signIn(await addUser(test, acme, 'backoffice'));
  });
  afterEach(() => test.close());

  const store = (talk: Partial<StoredTalk>) => {
    const { operator, appId } = acme;
    const at = '2026-11-01T10:00:00.000Z';
    return storeTalk(test.app, { organizationId: operator.organizationId, appId, at, ...talk });
  };
  const days = 'from=2026-10-30&to=2026-11-02';

  it('links each figure to its conversations', async () => {
    for (let count = 0; count < 30; count += 1) await store({ found: count % 3 !== 0 });
    const liked = await store({ rating: 'up', question: 'Was that good?' });
    await store({ channel: 'cli' });
    const { text } = await browser.open(`/insights?${days}`);
    assert.match(text, /Questions<\/dt><dd class="value"><a [^>]*>31<\/a>/);
    assert.match(text, /68% <small>21<\/small>/);
    const [, link = ''] =
      /Helpful<\/dt><dd class="value"><a href="\/backoffice([^"]*)">1</.exec(text) ?? [];
    const list = await browser.open(link.replaceAll('&amp;', '&'));
    assert.match(list.text, /Conversations in all: 1\b/);
    assert.match(list.text, new RegExp(liked.conversationId));
    assert.match(
      (await browser.open(`/conversations?${days}&channel=people`)).text,
      /Conversations in all: 31\b/,
    );
    assert.match(
      (await browser.open('/insights?from=2025-01-01&to=2025-01-05')).text,
      /Nobody has asked/,
    );
  });

  it('names the time zone of its days, and exports CSV without formulas', async () => {
    await test.app.db.write('organizations').update({ time_zone: 'Pacific/Kiritimati' });
    await test.app.db.write('apps').where({ id: acme.appId }).update({ name: '=1+1, "x"' });
    await store({ at: '2026-10-31T10:30:00.000Z' });
    const { text } = await browser.open(`/insights?${days}`);
    assert.match(text, /time zone Pacific\/Kiritimati/);
    const byDay = await browser.open(`/insights/day.csv?${days}`);
    assert.match(byDay.headers.get('content-type') ?? '', /text\/csv/);
    assert.match(byDay.text, /\r\n2026-10-31,0,.*\r\n2026-11-01,1,1,0,0,0,/);
    const byApp = await browser.open(`/insights/app.csv?${days}`);
    assert.match(byApp.text, /\r\n"'=1\+1, ""x""",1,1,/);
  });

  it('shows the times of answers, and links to the slow ones', async () => {
    for (let count = 1; count <= 20; count += 1) {
      await store({ mode: 'ollama', firstWordMs: 450, totalMs: 1000 * count });
    }
    const slow = await store({ mode: 'ollama', firstWordMs: 450, totalMs: 60_000 });
    await store({ totalMs: 80 });
    const { text } = await browser.open(`/insights?${days}`);
    assert.match(text, /<a href="[^"]*\/account">Choose your time zone/);
    assert.match(text, /Whole answer, median<\/dt><dd class="value"><a [^>]*>10\u00a0s<\/a>/);
    assert.match(text, /95 %: 20\u00a0s · first word: 0.45\u00a0s/);
    assert.match(text, /By quotation<\/th>.*0.08\u00a0s/);
    const csv = await browser.open(`/insights/mode.csv?${days}`);
    assert.match(csv.text, /\r\nBy a model,21,.*,450,450,11000,20000\r\n/);
    const [, link = ''] = /href="\/backoffice([^"]*mode=ollama[^"]*slower=20)"/.exec(text) ?? [];
    const list = await browser.open(link.replaceAll('&amp;', '&'));
    assert.match(list.text, /Conversations in all: 2\b/);
    assert.match(list.text, new RegExp(slow.conversationId));
  });

  it('compares the figures with the days before, without a percentage for few cases', async () => {
    const before = '2026-10-28T10:00:00.000Z';
    for (let count = 0; count < 20; count += 1) await store({ at: before });
    for (let count = 0; count < 30; count += 1) await store({ found: count % 3 !== 0 });
    const { text } = await browser.open(`/insights?${days}`);
    assert.match(text, /before: 20<strong>\+50%<\/strong>/);
    assert.match(text, /before: 100%<strong>-33 points<\/strong>/);
    const [, link = ''] =
      /href="\/backoffice(\/conversations\?from=2026-10-26[^"]*)"/.exec(text) ?? [];
    assert.match(
      (await browser.open(link.replaceAll('&amp;', '&'))).text,
      /Conversations in all: 20\b/,
    );
    const csv = await browser.open(`/insights/before.csv?${days}`);
    assert.match(csv.text, /\r\nQuestions,30,,20,\r\nAnswered,20,30,20,20\r\n/);
    const few = await browser.open('/insights?from=2026-10-28&to=2026-10-28');
    assert.doesNotMatch(few.text, /<strong>[+-]/);
  });

  it('shows only one’s own organization, and requires a session', async () => {
    await store({});
    const other = await addOrganization(test, 'Other');
    const stranger = openPageClient(test.url);
    await stranger.signIn(await addUser(test, other, 'admin'));
    assert.match((await stranger.open(`/insights?${days}`)).text, /Nobody has asked/);
    assert.equal((await stranger.open(`/insights?${days}&app=${acme.appId}`)).status, 404);
    assert.equal((await openPageClient(test.url).open('/insights')).status, 303);
  });
});
