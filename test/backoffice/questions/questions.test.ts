import assert from 'node:assert/strict';
import { fileRequest } from '../../../src/requests/file-request.js';
import { storeEntry } from '../../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('Requests in the backoffice', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ben: TestUser;
  let ida: TestUser;
  let browser: PageClient;

  beforeEach(async () => {
    test = await serveTestApp({});
    acme = await addOrganization(test);
    ben = await addUser(test, acme, 'backoffice');
    ida = await addUser(test, acme, 'user');
    browser = openPageClient(test.url);
    await browser.signIn(ben);
  });
  afterEach(() => test.close());

  const ask = async (question: string, by = ida) => {
    const { organizationId } = acme.operator;
    const actor = { kind: 'user', organizationId, userId: by.id, role: 'user' } as const;
    const url = `https://${acme.domain}/pond`;
    const { id } = await fileRequest(test.app, actor, { question, url });
    return id;
  };
  const stored = async (id: number) =>
    (await test.app.db.read('knowledge_requests').where({ id }).first()) as Record<string, unknown>;

  it('are listed oldest first while they wait, and filtered by state and words', async () => {
    const [first, second] = [await ask('When is the pond drained?'), await ask('Who feeds it?')];
    const { text } = await browser.open('/questions');
    assert.ok(text.indexOf('When is the pond') < text.indexOf('Who feeds it?'));
    await browser.send(`/questions/${second}`, { do: 'move', status: 'dismissed' });
    const waiting = await browser.open('/questions');
    assert.ok(!waiting.text.includes('Who feeds it?'));
    assert.match((await browser.open('/questions?status=dismissed')).text, /Who feeds it\?/);
    const found = await browser.open('/questions?q=POND&status=all');
    assert.ok(found.text.includes(`/questions/${first}"`) && !found.text.includes('Who feeds'));
    assert.match((await browser.open('/questions?q=nothing')).text, /Nothing fits this filter/);
    assert.equal((await browser.open('/questions?page=0&status=x&limit=9999')).status, 200);
  });

  it('show the nearest entry, and why it does not answer them', async () => {
    await storeEntry(test, acme, { title: 'The pond', content: 'The pond is **deep**.' });
    const id = await ask('When is the pond drained for cleaning?');
    const { text } = await browser.open(`/questions/${id}`);
    assert.match(text, /The pond is <strong>deep<\/strong>\./);
    assert.match(text, /too little/);
  });

  it('are answered with a notification to the person, and optionally with a new entry', async () => {
    const id = await ask('When is the pond drained?');
    const answer = { do: 'answer', response: 'In October.', publish: 'on', visibility: 'public' };
    const place = { title: 'Draining the pond', domain: acme.domain, url_pattern: '' };
    const { status, to } = await browser.send(`/questions/${id}`, { ...answer, ...place });
    assert.deepEqual([status, to], [303, `/backoffice/questions/${id}?done=published`]);
    const row = await stored(id);
    assert.deepEqual([row['status'], row['response']], ['resolved', 'In October.']);
    const entry = (await test.app.db
      .read('knowledge_entries')
      .where({ id: row['knowledge_entry_id'] })
      .first()) as Record<string, unknown>;
    assert.deepEqual(
      [entry['title'], entry['content'], entry['visibility'], entry['status']],
      ['Draining the pond', 'In October.', 'public', 'published'],
    );
    const notified = await test.app.db.read('notifications').where({ user_id: ida.id });
    assert.equal(notified.length, 1);
  });

  it('keep a draft of the answer, and move between states', async () => {
    const id = await ask('When is the pond drained?');
    await browser.send(`/questions/${id}`, { do: 'answer\nsaveDraft', response: 'Perhaps' });
    assert.deepEqual(
      [(await stored(id))['status'], (await stored(id))['response']],
      ['in_progress', 'Perhaps'],
    );
    assert.match((await browser.open(`/questions/${id}`)).text, />\nPerhaps<\/textarea>/);
    for (const status of ['open', 'in_progress', 'dismissed', 'open'] as const) {
      await browser.send(`/questions/${id}`, { do: 'move', status });
      assert.equal((await stored(id))['status'], status);
    }
  });

  it('keep the typed answer after a refusal', async () => {
    const id = await ask('When is the pond drained?');
    const { status, text } = await browser.send(`/questions/${id}`, {
      ...{ do: 'answer', response: 'In October.', publish: 'on', visibility: '' },
      ...{ title: '', domain: 'no host!', url_pattern: '' },
    });
    assert.ok(status >= 400 && status < 500, String(status));
    assert.match(text, />\nIn October\.<\/textarea>/);
    assert.match(text, /value="no host!"/);
  });

  it('exist only for their organization', async () => {
    const other = await addOrganization(test, 'Other');
    const eve = await addUser(test, other, 'admin');
    const id = await ask('When is the pond drained?');
    const stranger = openPageClient(test.url);
    await stranger.signIn(eve);
    assert.equal((await stranger.open(`/questions/${id}`)).status, 404);
    const move = { do: 'move', status: 'dismissed' };
    assert.equal((await stranger.send(`/questions/${id}`, move)).status, 404);
    assert.ok(!(await stranger.open('/questions?status=all')).text.includes('pond'));
    assert.equal((await stored(id))['status'], 'open');
  });
});
