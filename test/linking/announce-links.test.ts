import assert from 'node:assert/strict';
import type { KeyWithSecret } from '../../src/federation/manage-widget-keys.js';
import { runDueDeliveries } from '../../src/notifications/deliver-due.job.js';
import { addAccount, link } from '../support/accounts.js';
import { callApi } from '../support/api-client.js';
import { startMailServer, startWebhookReceiver } from '../support/receivers.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

interface Notification {
  id: number;
  kind: string;
  question: string;
  response: string;
  read_at: string | null;
}

const origin = 'https://acme.example';
const session = 'the sign-in of four thirty';

describe('An account link that a thief makes with a user’s token', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let pair: KeyWithSecret;
  let thief: TestUser;
  let count = 0;

  before(async () => {
    [mail, receiver] = await Promise.all([startMailServer(), startWebhookReceiver([])]);
    test = await serveTestApp({
      ...{ mail: mail.mail, notifications: { worker: false } },
      ...{ webhooks: { allow_private: true }, answers: { mode: 'extractive' } },
    });
    acme = await addOrganization(test);
    pair = await addKeyWithSecret(test, acme);
    const admin = await addAccount(test, acme, 'Admin', 'admin');
    const webhook = { token: admin.token, body: { url: receiver.url } };
    await callApi(`${test.url}/api/admin/webhooks`, webhook);
  });
  after(async () => {
    await test.close();
    await Promise.all([mail.close(), receiver.close()]);
  });
  beforeEach(async () => {
    count += 1;
    thief = await addAccount(test, acme, `Thief${count}`);
  });

  const tokenOf = (externalId: string, more: object = {}) =>
    addUserToken(test, pair, { externalId, ...more });
  const linkBy = (account: TestUser, token: string, more: object = {}) =>
    link(test, account, { widgetKey: pair.key.key, token, origin, ...more });
  const widgetNotifications = async (token: string, rest = '') =>
    callApi<{ data: Notification[] } & Notification>(`${test.url}/widget/notifications${rest}`, {
      ...{ token, headers: { Origin: origin } },
      ...(rest === '' ? {} : { method: 'POST' }),
    });
  const ask = (token: string, message: string) =>
    callApi(`${test.url}/widget/message`, {
      ...{ token, headers: { Origin: origin } },
      body: { message, context: { url: `${origin}/`, title: 'Start' } },
    });

  it('is announced to the person in the widget and by mail, and to nobody else', async () => {
    const email = `ada${count}@host.example`;
    const token = await tokenOf(`ada-${count}`, { email });
    assert.equal((await linkBy(thief, token)).status, 201);
    const [notification, ...more] = (await widgetNotifications(token)).body.data;
    assert.deepEqual(
      [notification?.question, more],
      ['An account was linked to you on Acme app', []],
    );
    assert.match(
      notification?.response ?? '',
      /^The account t…@\d+\.example was linked to you on Acme app/,
    );
    assert.ok(
      !JSON.stringify(notification).includes(thief.email),
      'the full e-mail address is not revealed',
    );
    assert.equal(await runDueDeliveries(test.app), 1);
    const [message] = mail.mails.slice(-1);
    assert.ok(message?.includes(email) && message.includes('An account was linked to you'));
    assert.deepEqual(receiver.received, []);
    // The same link again is not announced.
    assert.equal((await linkBy(thief, token)).status, 200);
    assert.equal((await widgetNotifications(token)).body.data.length, 1);
  });

  it('does not let the thief read the announcement or mark it as read', async () => {
    const token = await tokenOf(`ada-${count}`);
    await linkBy(thief, token);
    const [notification] = (await widgetNotifications(token)).body.data;
    const mine = await callApi<{ data: Notification[] }>(`${test.url}/api/notifications`, thief);
    assert.deepEqual(mine.body.data, []);
    const path = `${test.url}/api/notifications/${notification?.id ?? 0}/read`;
    const { token: bearer } = thief;
    assert.equal((await callApi(path, { method: 'POST', token: bearer })).status, 404);
    const { email, password } = thief;
    const form = await callApi<{ token: string }>(`${test.url}/widget/login`, {
      ...{ key: pair.key.key, headers: { Origin: origin }, body: { email, password } },
    });
    assert.deepEqual((await widgetNotifications(form.body.token)).body.data, []);
    const rest = `/${notification?.id ?? 0}/read`;
    assert.equal((await widgetNotifications(form.body.token, rest)).status, 404);
    assert.equal((await widgetNotifications(token)).body.data[0]?.read_at, null);
    assert.equal((await widgetNotifications(token, rest)).status, 200);
  });

  for (const [language, question, subject] of [
    ['es', '¿Dónde está la llave de paso del agua?', 'Se ha vinculado una cuenta con usted'],
    ['de', 'Wo finde ich den Schlüssel für den Keller?', 'Ein Konto wurde auf Acme app mit Ihnen'],
  ] as const) {
    it(`is announced in the language of the person’s questions: ${language}`, async () => {
      const token = await tokenOf(`ada-${count}`);
      assert.equal((await ask(token, question)).status, 200);
      await linkBy(thief, token);
      const [notification] = (await widgetNotifications(token)).body.data;
      assert.ok(notification?.question.startsWith(subject), notification?.question);
    });
  }

  it('can’t be repeated for another account, even if the linked account was erased', async () => {
    const token = await tokenOf(`ada-${count}`);
    assert.equal((await linkBy(thief, token)).status, 201);
    const erased = await callApi(`${test.url}/api/me/erase`, {
      ...{ token: thief.token, body: { current_password: thief.password } },
    });
    assert.equal(erased.status, 200);
    const second = await addAccount(test, acme, `Second${count}`);
    const { status, body } = await linkBy(second, token);
    assert.deepEqual([status, body.errors[0]?.path], [422, 'token']);
  });

  it('requires the host’s session if the token was issued for one', async () => {
    const token = await tokenOf(`ada-${count}`, { session });
    for (const more of [{}, { session: 'the sign-in of somebody else' }]) {
      const { status, body } = await linkBy(thief, token, more);
      assert.deepEqual([status, body.errors[0]?.path], [422, 'session']);
    }
    const [, payload = ''] = token.split('.');
    assert.ok(!Buffer.from(payload, 'base64url').toString().includes(session));
    assert.deepEqual((await widgetNotifications(token)).body.data, []);
    assert.equal((await linkBy(thief, token, { session })).status, 201);
  });

  it('requires no particular session if the token was issued without one', async () => {
    assert.equal((await linkBy(thief, await tokenOf(`ada-${count}`), { session })).status, 201);
  });
});
