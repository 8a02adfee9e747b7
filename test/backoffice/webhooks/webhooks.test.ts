import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { runDueDeliveries } from '../../../src/notifications/deliver-due.job.js';
import { fileRequest } from '../../../src/requests/file-request.js';
import { updateRequest } from '../../../src/requests/update-request.js';
import { callApi } from '../../support/api-client.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/receivers.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('Webhooks in the backoffice', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;
  let browser: PageClient;
  let receiver: WebhookReceiver;

  const open = async (statuses: number[] = []) => {
    receiver = await startWebhookReceiver(statuses);
    test = await serveTestApp({
      notifications: { worker: false, max_attempts: 1 },
      webhooks: { allow_private: true },
    });
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'admin');
    browser = openPageClient(test.url);
    await browser.signIn(ada);
  };
  afterEach(async () => {
    await test.close();
    await receiver.close();
  });

  /** Creates a webhook for the receiver. Returns its secret and the path of its page. */
  const make = async () => {
    const made = await browser.send('/webhooks', { do: 'create', url: receiver.url });
    assert.equal(made.status, 200);
    const secret = /whsec_[\w+/=]+/.exec(made.text)?.[0] ?? '';
    const path = /href="\/backoffice(\/webhooks\/\d+)"/.exec(made.text)?.[1] ?? '';
    return { secret, path };
  };

  it('are created with a secret that is shown once, edited, disabled and deleted', async () => {
    await open();
    const refused = await browser.send('/webhooks', { do: 'create', url: 'ftp://hooks.example' });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /value="ftp:\/\/hooks.example"/);
    const { secret, path } = await make();
    assert.match(secret, /^whsec_/);
    assert.ok(!(await browser.open(path)).text.includes(secret));
    const rotated = await browser.send(path, { do: 'rotate' });
    assert.match(rotated.text, /whsec_/);
    assert.ok(!rotated.text.includes(secret));
    await browser.send(path, { do: 'save', url: 'https://hooks.example/a' });
    await browser.send(path, { do: 'disable' });
    assert.match((await browser.open('/webhooks')).text, /hooks.example\/a[\s\S]*Disabled/);
    await browser.send(path, { do: 'enable' });
    assert.match((await browser.open(path)).text, /Active/);
    assert.equal((await browser.send(path, { do: 'delete', sure: 'on' })).status, 303);
    assert.equal((await browser.open(path)).status, 404);
  });

  it('are tested with a signed event, whose answer is shown and recorded', async () => {
    await open([204, 500]);
    const { secret, path } = await make();
    assert.match((await browser.send(path, { do: 'test' })).text, /The webhook answered 204/);
    const [post] = receiver.received;
    const headers = post?.headers as Record<string, string>;
    const event = new Webhook(secret).verify(post?.body ?? '', headers) as { type: string };
    assert.equal(event.type, 'webhook.test');
    assert.match((await browser.send(path, { do: 'test' })).text, /The webhook answered 500/);
    const api = `${test.url}/api/admin${path}/test`;
    const { status, body } = await callApi(api, { method: 'POST', token: ada.token });
    assert.deepEqual([status, body], [200, { delivered: true, answer_status: 204, error: null }]);
    await receiver.close();
    const { text } = await browser.send(path, { do: 'test' });
    assert.match(text, /could not be reached/);
    const records = await test.app.db.read('audit_log').where({ action: 'webhook.test' });
    assert.equal(records.length, 4);
  });

  it('show failed deliveries with their errors, and send them again', async () => {
    await open([503]);
    await make();
    const { organizationId } = acme.operator;
    const asker = { kind: 'user', organizationId, userId: ada.id, role: 'admin' } as const;
    const { id } = await fileRequest(test.app, asker, { question: 'Where is the <pump>?' });
    const response = 'In the cellar.';
    await updateRequest(test.app, acme.operator, id, { status: 'resolved', response });
    await runDueDeliveries(test.app);
    const dead = await browser.open('/deliveries?status=dead');
    assert.match(dead.text, /Where is the &lt;pump>\?/);
    assert.match(dead.text, /answered 503/);
    assert.match(dead.text, /Given up/);
    assert.ok(!(await browser.open('/deliveries?status=delivered')).text.includes('pump'));
    const delivery = /name="id" value="(\d+)"/.exec(dead.text)?.[1] ?? '';
    assert.equal((await browser.send('/deliveries', { do: 'retry', id: delivery })).status, 303);
    await runDueDeliveries(test.app);
    assert.match((await browser.open('/deliveries?status=delivered')).text, /answered 204/);
    const again = await browser.send('/deliveries', { do: 'retry', id: delivery });
    assert.equal(again.status, 409);
  });

  it('exist only for admins of their organization', async () => {
    await open();
    const { path } = await make();
    const operator = openPageClient(test.url);
    await operator.signIn(await addUser(test, acme, 'backoffice'));
    for (const one of ['/webhooks', path, '/deliveries'])
      assert.equal((await operator.open(one)).status, 404);
    const stranger = openPageClient(test.url);
    await stranger.signIn(await addUser(test, await addOrganization(test, 'Other'), 'admin'));
    assert.equal((await stranger.open(path)).status, 404);
    for (const form of [{ do: 'test' }, { do: 'rotate' }, { do: 'delete', sure: 'on' }])
      assert.equal((await stranger.send(path, form)).status, 404);
    assert.deepEqual(receiver.received, []);
  });
});
