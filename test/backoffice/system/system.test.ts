import assert from 'node:assert/strict';
import { backup } from '../../../src/operations/manage-backups.js';
import { keepExamination } from '../../../src/operations/kept-examination.js';
import { examination } from '../../../src/operations/start-examination.js';
import { packageVersion } from '../../../src/platform/package-root.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { createTestClock } from '../../support/test-clock.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('The system page', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;
  let clock: ReturnType<typeof createTestClock>;
  let browser: PageClient;

  beforeEach(async () => {
    clock = createTestClock();
    const mail = { host: '127.0.0.1', port: 9, password: 'pass-of-mail' };
    test = await serveTestApp({ mail }, clock);
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'admin');
    browser = openPageClient(test.url);
    await browser.signIn(ada);
  });
  afterEach(() => test.close());

  const keep = (finding: string) =>
    keepExamination(test.app.config, {
      ...{ status: 'warning', checked_at: '2026-01-01T10:00:00.000Z', version: '1.0.0' },
      checks: [
        { name: 'clock', status: 'warning', finding, remedy: 'Set it: timedatectl set-ntp true' },
        { name: 'database', status: 'ok', finding: 'whole', remedy: null },
      ],
    });

  it('shows the state and each problem', async () => {
    const { text } = await browser.open('/system');
    assert.match(text, new RegExp(`Version ${packageVersion()}`));
    assert.match(text, /something needs attention/);
    assert.doesNotMatch(text, /no server runs/);
    assert.match(text, /no Ollama answers/);
    assert.match(text, /No page can show the widget of: Acme app/);
    assert.match(text, /has not been examined yet/);
  });

  it('starts an examination, and shows that it is running until it ends', async () => {
    const started = await browser.send('/system', { do: 'examine' });
    assert.equal(started.status, 303);
    const running = await browser.open('/system');
    assert.match(running.text, /examination is running[\s\S]*>Look again</);
    assert.doesNotMatch(running.text, /Examine now/);
    const events = await browser.open('/system/events?work=examination');
    assert.match(events.text, /event: completed/);
    const { text } = await browser.open('/system');
    assert.match(text, /Last examination:/);
    assert.match(text, /rows, search index, vectors and counters agree/);
    assert.match(text, /<code>assistant keys create --app 1<\/code>/);
    assert.match(text, /Examine now/);
  }).timeout(30_000);

  it('puts the findings of the last examination on the page of today, for admins only', async () => {
    await keep('it is an hour behind');
    assert.match((await browser.open('')).text, /examination: 1[\s\S]*it is an hour behind/);
    assert.match((await browser.open('/system')).text, /<code>timedatectl set-ntp true<\/code>/);
    const bo = openPageClient(test.url);
    await bo.signIn(await addUser(test, acme, 'backoffice'));
    assert.doesNotMatch((await bo.open('')).text, /an hour behind/);
    assert.equal((await bo.open('/system')).status, 404);
  });

  it('shows the settings, filtered by name and source, without secrets', async () => {
    const { text } = await browser.open('/system/settings');
    assert.match(text, /mail\.password/);
    assert.ok(!text.includes('pass-of-mail'));
    const few = (await browser.open('/system/settings?name=mail.&from=changed')).text;
    assert.match(few, /mail\.host[\s\S]*mail\.port/);
    assert.doesNotMatch(few, />mail\.timeout_ms<|>server\.port</);
    assert.match((await browser.open('/system/settings?name=none.such')).text, /Nothing fits/);
  });

  it('makes a backup after asking for the password, and lists it as not yet checked', async () => {
    assert.match((await browser.open('/system/backups')).text, /There is no backup yet/);
    clock.advance(601_000);
    const asked = await browser.send('/system/backups', { do: 'make' });
    const [, held = ''] = /name="held" value="([^"]+)"/.exec(asked.text) ?? [];
    assert.notEqual(held, '');
    assert.equal(test.app.longWork.last(backup), undefined);
    const made = await browser.send('/system/backups', { held, current_password: ada.password });
    assert.match(made.to, /done=backupStarted$/);
    assert.match((await browser.open('/system/events?work=backup')).text, /event: completed/);
    const { text } = await browser.open('/system/backups');
    assert.match(text, /Not checked[\s\S]*assistant-[\w-]+\.tar\.gz/);
    assert.match((await browser.open('/changes')).text, /Backup: created/);
  });

  it('reports a proxy that does not forward the Host header', async () => {
    const through = {
      referer: 'https://help.acme.example/backoffice',
      'sec-fetch-site': 'same-origin',
    };
    assert.match((await browser.open('/system', through)).text, /proxy asks the server for/);
    const link = { referer: 'https://mail.example/backoffice', 'sec-fetch-site': 'cross-site' };
    assert.doesNotMatch((await browser.open('/system', link)).text, /proxy asks/);
  });

  it('shows an admin of another organization only their own state, and refuses to start anything', async () => {
    await keep('it is an hour behind');
    const other = await addOrganization(test, 'Other');
    const eve = openPageClient(test.url);
    await eve.signIn(await addUser(test, other, 'admin'));
    const { text } = await eve.open('/system');
    assert.match(text, /other\.example/);
    assert.doesNotMatch(text, /acme|an hour behind|sqlite|Ollama|Free space|Examin/i);
    assert.doesNotMatch((await eve.open('')).text, /an hour behind/);
    for (const path of ['/system/settings', '/system/backups', '/system/events'])
      assert.equal((await eve.open(path)).status, 403, path);
    assert.equal((await eve.send('/system', { do: 'examine' })).status, 403);
    assert.equal((await eve.send('/system/backups', { do: 'make' })).status, 403);
    assert.equal(test.app.longWork.last(examination), undefined);
    assert.equal(test.app.longWork.last(backup), undefined);
    // The installation has two organizations now, so that only the operator makes backups.
    assert.match((await browser.open('/system/backups')).text, /every organization/);
    assert.equal((await browser.send('/system/backups', { do: 'make' })).status, 403);
  });

  it('can show the hidden set-up steps again', async () => {
    assert.doesNotMatch((await browser.open('/system')).text, /Show the steps/);
    await browser.send('', { do: 'hideChecklist' });
    assert.match(
      (await browser.open('/system')).text,
      /action="\/backoffice" [\s\S]*Show the steps/,
    );
    await browser.send('/', { do: 'showChecklist' });
    assert.match((await browser.open('')).text, /steps are done/);
  });
});
