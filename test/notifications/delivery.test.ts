import assert from 'node:assert/strict';
import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { mock } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { claimDelivery } from '../../src/notifications/deliveries.repository.js';
import { runDueDeliveries } from '../../src/notifications/deliver-due.job.js';
import { insertWebhook } from '../../src/notifications/webhooks.repository.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { updateRequest } from '../../src/requests/update-request.js';
import type { Actor } from '../../src/platform/actor.js';
import { lookUpPublic } from '../../src/platform/http/public-address.js';
import type { Problem } from '../../src/platform/http/problems.js';
import { callApi, type CallOptions } from '../support/api-client.js';
import { startMailServer, startWebhookReceiver } from '../support/receivers.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type ConfigInput,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';
import { sendWebhook } from '../../src/notifications/attempt-delivery.js';

interface DeliveryBody {
  id: number;
  channel: string;
  target: string;
  status: string;
  attempts: number;
  last_error: string | null;
  next_attempt_at: string | null;
}

const minute = 60_000;

describe('The outbox', () => {
  const closing: (() => Promise<void>)[] = [];
  let clock: TestClock;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;
  let admin: TestUser;

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** The application without a worker of its own, so that the test decides when due messages are sent. */
  const open = async (config: ConfigInput = {}) => {
    // The current time, because signatures are verified against it.
    clock = createTestClock(new Date().toISOString());
    const notifications = { worker: false, first_retry_ms: 1000, max_attempts: 3 };
    // The receivers run on this machine.
    const webhooks = { allow_private: true };
    test = await serveTestApp({ notifications: { ...notifications }, webhooks, ...config }, clock);
    closing.push(() => test.close());
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'user');
    admin = await addUser(test, acme, 'admin');
  };
  const resolve = async (question = 'Where is the pump?', response = 'In the cellar.') => {
    const { organizationId } = acme.operator;
    const actor: Actor = { kind: 'user', organizationId, userId: ada.id, role: 'user' };
    const { id } = await fileRequest(test.app, actor, { question });
    await updateRequest(test.app, acme.operator, id, { status: 'resolved', response });
    return id;
  };
  const call = <T>(path: string, options: CallOptions = {}) =>
    callApi<T>(`${test.url}/api/admin${path}`, { token: admin.token, ...options });
  const deliveries = async (query = '') =>
    (await call<{ data: DeliveryBody[] }>(`/deliveries${query}`)).body.data;

  const startReceiver = async (statuses: number[] = []) => {
    const receiver = await startWebhookReceiver(statuses);
    closing.push(() => receiver.close());
    return receiver;
  };
  const startMail = async (...refuse: Parameters<typeof startMailServer>) => {
    const server = await startMailServer(...refuse);
    closing.push(() => server.close());
    return server;
  };
  const addWebhook = async (url: string) => {
    const reply = await call<{ id: number; secret: string }>('/webhooks', { body: { url } });
    assert.equal(reply.status, 201);
    return reply.body;
  };

  describe('by webhook', () => {
    it('signs its messages by Standard Webhooks', async () => {
      await open();
      const { url, received } = await startReceiver();
      const { secret } = await addWebhook(url);
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      const id = await resolve();
      assert.equal(await runDueDeliveries(test.app), 1);
      const [one] = received;
      const event = new Webhook(secret).verify(one?.body ?? '', {
        'webhook-id': String(one?.headers['webhook-id']),
        'webhook-timestamp': String(one?.headers['webhook-timestamp']),
        'webhook-signature': String(one?.headers['webhook-signature']),
      }) as { type: string; data: Record<string, unknown> };
      assert.equal(event.type, 'knowledge_request.resolved');
      assert.deepEqual(
        [event.data['id'], event.data['question'], event.data['response'], event.data['status']],
        [id, 'Where is the pump?', 'In the cellar.', 'resolved'],
      );
      assert.deepEqual(
        (await deliveries()).map(({ channel, status, attempts }) => [channel, status, attempts]),
        [['webhook', 'delivered', 1]],
      );
      assert.equal(await runDueDeliveries(test.app), 0);
      assert.equal(received.length, 1);
    });

    it('tries again later with the same id, and not before the retry is due', async () => {
      await open();
      const { url, received } = await startReceiver([500, 302]);
      await addWebhook(url);
      await resolve();
      await runDueDeliveries(test.app);
      const [waiting] = await deliveries('?status=pending');
      assert.equal(waiting?.last_error, 'The webhook answered 500.');
      assert.ok((waiting.next_attempt_at ?? '') > clock.now().toISOString());
      assert.equal(await runDueDeliveries(test.app), 0);
      clock.advance(minute);
      await runDueDeliveries(test.app);
      clock.advance(minute);
      await runDueDeliveries(test.app);
      assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1);
      assert.equal(received.length, 3);
      assert.deepEqual(
        (await deliveries()).map(({ status }) => status),
        ['delivered'],
      );
    });

    it('gives up after the last attempt, and lets an admin send the message again', async () => {
      await open();
      const { url, received } = await startReceiver([500, 500, 500]);
      await addWebhook(url);
      await resolve();
      for (let attempt = 0; attempt < 5; attempt++) {
        await runDueDeliveries(test.app);
        clock.advance(minute);
      }
      assert.equal(received.length, 3);
      const [dead] = await deliveries('?status=dead');
      assert.deepEqual([dead?.attempts, dead?.next_attempt_at], [3, null]);
      const retry = () =>
        call<DeliveryBody>(`/deliveries/${dead?.id ?? 0}/retry`, { method: 'POST' });
      assert.equal((await retry()).body.status, 'pending');
      await runDueDeliveries(test.app);
      assert.equal(received.length, 4);
      assert.equal((await retry()).status, 409);
      assert.deepEqual(await deliveries('?status=dead'), []);
    });

    it('records the failure of a webhook that is unreachable or does not answer in time', async () => {
      await open({ notifications: { worker: false, webhook_timeout_ms: 50, max_attempts: 1 } });
      await addWebhook('http://127.0.0.1:9/nobody');
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      closing.push(async () => {
        silent.closeAllConnections();
        silent.close();
        await once(silent, 'close');
      });
      await addWebhook(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
      await resolve();
      assert.equal(await runDueDeliveries(test.app), 2);
      const errors = (await deliveries('?status=dead')).map(({ last_error }) => last_error ?? '');
      const sentence = 'The webhook could not be reached, or did not answer in time.';
      assert.deepEqual(errors, [sentence, sentence]);
    });

    it('never reaches this machine or private networks, however an address is written', async () => {
      const receiver = await startReceiver();
      const { port } = new URL(receiver.url);
      await open({ webhooks: { allow_private: false } });
      for (const host of [
        ...['127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '0.0.0.0', '[::1]'],
        ...['[::ffff:127.0.0.1]', '[::7f00:1]', '[64:ff9b::7f00:1]', '[fe80::1]', '[fd00::1]'],
        ...['[::ffff:0:7f00:1]', '[::ffff:5db8:d70e]', '[4000::1]', '[2002:7f00:1::1]'],
        ...[
          '10.0.0.1',
          '172.16.0.1',
          '192.168.1.1',
          '100.64.0.1',
          '169.254.169.254',
          '168.63.129.16',
        ],
        ...[
          'localhost',
          'LOCALHOST.',
          'localhost..',
          'a.localhost',
          '127.0.0.1..',
          '１２７.0.0.1',
          ...ownAddresses(),
        ],
      ]) {
        const reply = await call<Problem>('/webhooks', {
          body: { url: `http://${host}:${port}/hook` },
        });
        assert.equal(reply.status, 400, host);
        assert.match(reply.body.detail, /public internet/, host);
      }
      // Webhooks from before the setting changed get nothing either, nor do names that resolve to this machine.
      const { organizationId } = acme.operator;
      const names = [receiver.url, `http://localhost:${port}/`, `http://${hostname()}:${port}/`];
      for (const url of names) {
        await insertWebhook(test.app, { organizationId, url, secret: 'whsec_MDEy' });
      }
      await resolve();
      assert.equal(await runDueDeliveries(test.app), 3);
      const errors = (await deliveries()).map(({ last_error }) => last_error);
      const sentence = 'The webhook could not be reached, or did not answer in time.';
      assert.deepEqual(errors, [sentence, sentence, sentence]);
      assert.deepEqual(receiver.received, []);
    });

    it('resolves names to public addresses only', async () => {
      const lookUp = (name: string, options: object) =>
        new Promise<unknown>((done) => {
          lookUpPublic(name, options, (error, address) => done(error?.message ?? address));
        });
      assert.equal(await lookUp('localhost', {}), 'localhost has no public address.');
      assert.equal(
        await lookUp('localhost', { all: true, family: 4 }),
        'localhost has no public address.',
      );
      // Literal public addresses are returned as they are.
      assert.equal(await lookUp('93.184.215.14', {}), '93.184.215.14');
      assert.deepEqual(await lookUp('2606:2800:21f:cb07:6820:80da:af6b:8b2c', { all: true }), [
        { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 },
      ]);
    });

    it('resolves a name only once, so that a second answer can’t lead to this machine', async () => {
      const receiver = await startReceiver();
      const { port } = new URL(receiver.url);
      await open({
        webhooks: { allow_private: false },
        notifications: { worker: false, first_retry_ms: 1000, webhook_timeout_ms: 500 },
      });
      const { organizationId } = acme.operator;
      const url = `http://rebound.example:${port}/hook`;
      await insertWebhook(test.app, { organizationId, url, secret: 'whsec_MDEy' });
      await resolve();
      const open6 = { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 };
      const own = { address: '127.0.0.1', family: 4 };
      /** Runs a delivery with these DNS answers in turn, the last one repeatedly, and counts the look-ups. */
      const lookUpsWith = async (answers: LookupAddress[][]) => {
        let count = 0;
        const lookup = (_name: string, _options: object, done: (...found: unknown[]) => void) => {
          done(null, answers[Math.min(count++, answers.length - 1)]);
        };
        mock.method(dns, 'lookup', lookup);
        syncBuiltinESMExports();
        try {
          assert.equal(await runDueDeliveries(test.app), 1);
          return count;
        } finally {
          mock.restoreAll();
          syncBuiltinESMExports();
        }
      };
      // The first address is unreachable from here. What counts is that no other one is tried.
      assert.equal(await lookUpsWith([[open6], [own]]), 1);
      clock.advance(minute);
      assert.equal(await lookUpsWith([[own]]), 1);
      clock.advance(10 * minute);
      assert.equal(await lookUpsWith([[open6, own]]), 1);
      assert.deepEqual(receiver.received, []);
    });

    it('sends nothing to a webhook that is disabled or deleted', async () => {
      await open();
      const { url, received } = await startReceiver();
      const { id } = await addWebhook(url);
      const gone = await addWebhook(url);
      await resolve();
      await call(`/webhooks/${id}`, { method: 'PUT', body: { disabled: true } });
      assert.equal((await call(`/webhooks/${gone.id}`, { method: 'DELETE' })).status, 204);
      await runDueDeliveries(test.app);
      await resolve();
      await runDueDeliveries(test.app);
      assert.equal(received.length, 0);
      assert.deepEqual(
        (await deliveries()).map(({ status }) => status),
        ['dead', 'dead'],
      );
    });

    it('repeats with the same id a message that a dead worker may have sent', async () => {
      await open();
      const { url, received } = await startReceiver();
      await addWebhook(url);
      await resolve();
      // Claimed and sent, but the process ended before it could record that.
      const claimed = await claimDelivery(test.app);
      assert.ok(claimed !== undefined);
      await sendWebhook(test.app, claimed);
      assert.equal(await runDueDeliveries(test.app), 0);
      clock.advance(test.app.config.notifications.lease_ms);
      assert.equal(await runDueDeliveries(test.app), 1);
      assert.equal(received.length, 2);
      assert.equal(received[0]?.headers['webhook-id'], received[1]?.headers['webhook-id']);
      assert.deepEqual(
        (await deliveries()).map(({ status, attempts }) => [status, attempts]),
        [['delivered', 2]],
      );
    });

    it('gives up a message whose sender stops at every attempt', async () => {
      await open();
      await addWebhook('http://127.0.0.1:9/');
      await resolve();
      for (let attempt = 0; attempt < 3; attempt++) {
        assert.ok((await claimDelivery(test.app)) !== undefined);
        clock.advance(test.app.config.notifications.lease_ms);
      }
      await runDueDeliveries(test.app);
      const [dead] = await deliveries('?status=dead');
      assert.equal(dead?.last_error, 'The sender stopped at every attempt.');
    });

    it('gives each message to one of two workers', async () => {
      await open();
      const { url, received } = await startReceiver();
      await addWebhook(url);
      for (let index = 0; index < 6; index++) await resolve(`Question ${index}?`);
      const counts = await Promise.all([runDueDeliveries(test.app), runDueDeliveries(test.app)]);
      assert.equal(counts[0] + counts[1], 6);
      assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 6);
    });

    it('refuses invalid addresses, and hides webhooks from users and other organizations', async () => {
      await open();
      const globex = await addOrganization(test, 'Globex');
      const stranger = await addUser(test, globex, 'admin');
      for (const url of ['ftp://x.example/', 'https://user:pw@x.example/', 'nowhere', '']) {
        assert.equal((await call('/webhooks', { body: { url } })).status, 400, url);
      }
      const { id } = await addWebhook('https://x.example/hook');
      await resolve();
      const [delivery] = await deliveries();
      const token = stranger.token;
      for (const [path, options] of [
        [`/webhooks/${id}`, {}],
        [`/webhooks/${id}`, { method: 'PUT', body: { disabled: true } }],
        [`/webhooks/${id}/rotate-secret`, { method: 'POST' }],
        [`/webhooks/${id}`, { method: 'DELETE' }],
        [`/deliveries/${delivery?.id ?? 0}/retry`, { method: 'POST' }],
      ] as const) {
        assert.equal((await call(path, { ...options, token })).status, 404, path);
        assert.equal((await call(path, { ...options, token: ada.token })).status, 403, path);
      }
      const shown = await call<Record<string, unknown>>(`/webhooks/${id}`);
      assert.equal(shown.body['secret'], undefined);
      const { before, after } = (await test.app.db
        .read('audit_log')
        .where({ subject: `webhook:${id}` })
        .first()) as { before: string | null; after: string };
      assert.doesNotMatch(`${before ?? ''}${after}`, /whsec_/);
    });
  });

  describe('by mail', () => {
    it('writes to the asker in the language of the question', async () => {
      const { mail, mails } = await startMail();
      await open({ mail });
      await resolve('Wo steht die Pumpe,\nund wie wird sie gewartet?', 'Im Keller.\n.\nBcc: x@y.z');
      assert.equal(await runDueDeliveries(test.app), 1);
      const [message = ''] = mails;
      const [head = '', body = ''] = message.split(/\r\n\r\n(.*)/s);
      assert.match(head, new RegExp(`^To: ${ada.email}`, 'm'));
      assert.match(head, /^From: A <a@acme\.example>/m);
      assert.match(head, /^Subject: Ihre Frage ist beantwortet: Wo steht die Pumpe, und/m);
      assert.match(head, /^Message-ID: <[0-9a-f-]{36}@acme\.example>/m);
      assert.doesNotMatch(head, /^Bcc/m);
      assert.match(body, /Im Keller\./);
      assert.deepEqual(
        (await deliveries()).map(({ channel, target, status }) => [channel, target, status]),
        [['mail', ada.email, 'delivered']],
      );
    });

    it('writes an answer in Markdown as plain text', async () => {
      const { mail, mails } = await startMail();
      await open({ mail });
      await resolve('How long?', 'For **24 months**, see [the terms](https://acme.example/t).');
      await runDueDeliveries(test.app);
      assert.match(mails[0] ?? '', /For 24 months, see the terms \(https:\/\/acme\.example\/t\)\./);
    });

    it('tries again after a temporary refusal, but not after a permanent one', async () => {
      const answers = [
        Object.assign(new Error('Try later'), { responseCode: 451 }),
        Object.assign(new Error('No such user'), { responseCode: 550 }),
      ];
      const { mail, mails } = await startMail({ mail: () => answers.shift() });
      await open({ mail });
      await resolve();
      await runDueDeliveries(test.app);
      assert.match((await deliveries('?status=pending'))[0]?.last_error ?? '', /Try later/);
      clock.advance(minute);
      await runDueDeliveries(test.app);
      assert.match((await deliveries('?status=dead'))[0]?.last_error ?? '', /No such user/);
      assert.deepEqual(mails, []);
    });

    it('stores no delivery if no mail server is configured', async () => {
      await open();
      await resolve();
      assert.deepEqual(await deliveries(), []);
    });
  });

  it('is delivered by the server itself as soon as a request is resolved', async () => {
    const { url, received } = await startReceiver();
    await open({ notifications: { poll_ms: 600_000 } });
    await addWebhook(url);
    const { id } = await fileRequest(test.app, acme.operator, { question: 'Where?' });
    await updateRequest(test.app, acme.operator, id, { status: 'resolved', response: 'There.' });
    while (received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(received.length, 1);
  });
});

/** The addresses of this machine, as a URL writes them. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all
    .filter(({ address }) => !address.startsWith('fe80'))
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
}
