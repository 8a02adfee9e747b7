import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { claimDelivery, settleDelivery } from '../../src/notifications/deliveries.repository.js';
import { runDueDeliveries, startDeliveryWorker } from '../../src/notifications/deliver-due.job.js';
import {
  createWebhook,
  listDeliveries,
  retryDelivery,
} from '../../src/notifications/manage-webhooks.js';
import { sendMail } from '../../src/notifications/send-mail.js';
import type { Actor } from '../../src/platform/actor.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { getRequest } from '../../src/requests/read-requests.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { startMailServer, startWebhookReceiver } from '../support/receivers.js';
import {
  addOrganization,
  addUser,
  onSqlite,
  openTestApp,
  refuseInserts,
  type ConfigInput,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';

const hour = 3_600_000;

describe('The outbox, when something fails', () => {
  const closing: (() => Promise<void>)[] = [];
  const logged: string[] = [];
  let clock: TestClock;
  let test: TestApp;
  let acme: TestOrganization;
  let ada: Actor;

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    logged.length = 0;
  });

  const open = async (config: ConfigInput = {}) => {
    clock = createTestClock(new Date().toISOString());
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged.push(chunk.toString());
        done();
      },
    });
    const webhooks = { allow_private: true };
    test = await openTestApp({ webhooks, ...config }, clock, pino(sink));
    closing.push(() => test.close());
    acme = await addOrganization(test);
    const { organizationId } = acme.operator;
    const { id: userId } = await addUser(test, acme, 'user');
    ada = { kind: 'user', organizationId, userId, role: 'user' };
  };
  const file = async (question = 'Where is the pump?') =>
    (await fileRequest(test.app, ada, { question })).id;
  const resolve = async (id: number, response = 'In the cellar.') =>
    updateRequest(test.app, acme.operator, id, { status: 'resolved', response });
  const admin = () => ({ ...acme.operator });
  const deliveries = async () =>
    (await listDeliveries(test.app, admin(), { page: 1, limit: 100 })).items;
  const keep = <T extends { close(): Promise<void> }>(server: T): T => {
    closing.push(() => server.close());
    return server;
  };
  const addWebhook = (url: string) => createWebhook(test.app, admin(), { url });
  const messageIds = (mails: string[]) =>
    mails.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1] ?? '');

  /** A TCP server that handles each connection as the test says. */
  const startServer = async (greet: (socket: Socket) => void) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      greet(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    return (server.address() as AddressInfo).port;
  };

  it('stores a resolution with all its messages or not at all', async () => {
    await open();
    await addWebhook('https://hooks.example/');
    const id = await file();
    const accept = await refuseInserts(test.app, 'outbox_deliveries');
    await assert.rejects(resolve(id), /outbox_deliveries/);
    const count = async (table: string) =>
      (await test.app.db.read<{ id: number }>(table).select('id')).length;
    assert.equal(await count('notifications'), 0);
    const { status, resolutions } = await getRequest(test.app, acme.operator, id);
    assert.deepEqual([status, resolutions], ['open', 0]);
    await accept();
    await resolve(id);
    assert.deepEqual([await count('notifications'), await count('outbox_deliveries')], [1, 1]);
  });

  it('announces each resolution once, even if many operators act at the same time', async () => {
    await open();
    await addWebhook('https://hooks.example/');
    const id = await file();
    const answers = ['In the cellar.', 'In the attic.', 'In the shed.'];
    await Promise.all(Array.from({ length: 15 }, (_, n) => resolve(id, answers[n % 3] ?? '')));
    const { resolutions, response } = await resolve(id, 'In the cellar.');
    assert.equal(response, 'In the cellar.');
    const keys = await test.app.db
      .read<{ dedupe_key: string }>('notifications')
      .orderBy('id')
      .select('dedupe_key');
    assert.deepEqual(
      keys.map(({ dedupe_key }) => dedupe_key),
      Array.from({ length: resolutions }, (_, n) => `request:${id}:resolution:${n + 1}`),
    );
    assert.equal((await deliveries()).length, resolutions);
  });

  it('repeats a mail with the same id if the sender crashed before it could record it', async () => {
    const { mail, mails } = keep(await startMailServer());
    await open({ mail });
    await resolve(await file());
    const claimed = await claimDelivery(test.app);
    assert.ok(claimed !== undefined);
    await sendMail(test.app, claimed);
    clock.advance(test.app.config.notifications.lease_ms);
    assert.equal(await runDueDeliveries(test.app), 1);
    const ids = messageIds(mails);
    assert.equal(ids.length, 2);
    assert.match(ids[0] ?? '', /^<.+@acme\.example>$/);
    assert.equal(ids[0], ids[1]);
  });

  it('ignores the result of a sender whose lease has passed to another', async () => {
    await open();
    await addWebhook('https://hooks.example/');
    await resolve(await file());
    const slow = await claimDelivery(test.app);
    clock.advance(test.app.config.notifications.lease_ms);
    const second = await claimDelivery(test.app);
    assert.ok(slow !== undefined && second !== undefined);
    await settleDelivery(test.app, slow, { error: 'too late', retryInMs: undefined });
    const [delivery] = await deliveries();
    assert.deepEqual([delivery?.status, delivery?.lastError], ['pending', null]);
    await settleDelivery(test.app, second, { delivered: true });
    assert.equal((await deliveries())[0]?.status, 'delivered');
  });

  it('carries out a retry that an admin requests during the last attempt', async () => {
    await open();
    await addWebhook('https://hooks.example/');
    await resolve(await file());
    const underway = await claimDelivery(test.app);
    assert.ok(underway !== undefined);
    await retryDelivery(test.app, admin(), underway.id);
    // No other sender gets it meanwhile.
    assert.equal(await claimDelivery(test.app), undefined);
    await settleDelivery(test.app, underway, { error: 'no answer', retryInMs: undefined });
    const again = await claimDelivery(test.app);
    assert.deepEqual([again?.id, again?.attempts, again?.lastError], [underway.id, 1, 'no answer']);
  });

  it('keeps a mail while the password of the mail server is wrong', async () => {
    const refusals = [Object.assign(new Error('Bad password'), { responseCode: 535 })];
    const { mail, mails } = keep(await startMailServer({ signIn: () => refusals.shift() }));
    await open({ mail: { ...mail, user: 'assistant', password: 'mail-pw-7f3' } });
    await resolve(await file());
    await runDueDeliveries(test.app);
    const [waiting] = await deliveries();
    assert.equal(waiting?.status, 'pending');
    assert.match(waiting.lastError ?? '', /Bad password/);
    clock.advance(hour);
    await runDueDeliveries(test.app);
    assert.equal(mails.length, 1);
    assert.ok(!logged.join('').includes('mail-pw-7f3'));
  });

  it('gives up an address that the server does not know, and keeps it out of the log', async () => {
    const unknown = Object.assign(new Error('<user-1@example.com> is nobody\u001b[2J'), {
      responseCode: 550,
    });
    const { mail } = keep(await startMailServer({ recipient: () => unknown }));
    await open({ mail });
    await resolve(await file());
    await runDueDeliveries(test.app);
    const [dead] = await deliveries();
    assert.deepEqual([dead?.status, dead?.attempts], ['dead', 1]);
    assert.match(dead?.lastError ?? '', /user-1@example\.com/);
    assert.doesNotMatch(dead?.lastError ?? '', /\p{Cc}/u);
    assert.match(logged.join(''), /not delivered/);
    assert.ok(!logged.join('').includes('user-1@example.com'));
  });

  it('aborts an attempt at a server that never finishes, before its lease ends', async () => {
    const port = await startServer((socket) => {
      // Keeps sending and never finishes.
      const timer = setInterval(() => socket.write('220-wait\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await open({
      mail: { host: '127.0.0.1', port, security: 'none' },
      notifications: { lease_ms: 1000 },
    });
    await resolve(await file());
    await runDueDeliveries(test.app);
    const [delivery] = await deliveries();
    assert.deepEqual(
      [delivery?.status, delivery?.lastError],
      ['pending', 'It took longer than 750 ms.'],
    );
  });

  it('does not read the body of a webhook’s answer, however long it is', async () => {
    let sent = 0;
    const port = await startServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n');
      const block = Buffer.alloc(65_536, 'x');
      const pour = () => {
        while (!socket.destroyed && socket.write(block)) sent += block.length;
      };
      socket.on('drain', pour);
      pour();
    });
    await open();
    await addWebhook(`http://127.0.0.1:${port}/`);
    await resolve(await file());
    assert.equal(await runDueDeliveries(test.app), 1);
    assert.equal((await deliveries())[0]?.status, 'delivered');
    assert.ok(sent < 50_000_000, `${sent} bytes were taken`);
  });

  it('sends to other servers while one hangs', async () => {
    let hang: (socket: Socket) => void = () => undefined;
    const hanging = new Promise<Socket>((resolve) => (hang = resolve));
    const port = await startServer((socket) => hang(socket));
    const { url, first } = keep(await startWebhookReceiver());
    await open({ notifications: { senders: 2, webhook_timeout_ms: 60_000 } });
    await addWebhook(`http://127.0.0.1:${port}/`);
    await addWebhook(url);
    await resolve(await file());
    const worker = startDeliveryWorker(test.app);
    try {
      await first;
      const hung = (await deliveries()).find(({ target }) => target === '1');
      assert.deepEqual([hung?.status, hung?.attempts, hung?.lastError], ['pending', 1, null]);
    } finally {
      (await hanging).destroy();
      await worker.stop();
    }
  });

  it('sends new messages before retries', async () => {
    await open();
    await addWebhook('https://hooks.example/');
    await resolve(await file('Old?'));
    const old = await claimDelivery(test.app);
    assert.ok(old !== undefined);
    await settleDelivery(test.app, old, { error: 'down', retryInMs: 1000 });
    clock.advance(hour);
    await resolve(await file('New?'));
    const questions = [await claimDelivery(test.app), await claimDelivery(test.app)].map(
      (claimed) => claimed?.payload.request.question,
    );
    assert.deepEqual(questions, ['New?', 'Old?']);
  });

  it('sends for the organization with the fewest running deliveries, however many another has waiting', async () => {
    await open();
    const globex = await addOrganization(test, 'Globex');
    for (let count = 0; count < 6; count++) await addWebhook(`https://hooks.example/${count}`);
    await createWebhook(test.app, globex.operator, { url: 'https://globex.example/' });
    await resolve(await file());
    for (const question of ['First?', 'Second?', 'Third?']) {
      const { id } = await fileRequest(test.app, globex.operator, { question });
      await updateRequest(test.app, globex.operator, id, { status: 'resolved', response: 'Yes.' });
    }
    const claim = async () => {
      const claimed = await claimDelivery(test.app);
      assert.ok(claimed !== undefined);
      return claimed;
    };
    const nameOf = ({ organizationId }: { organizationId: number }) =>
      organizationId === globex.operator.organizationId ? 'globex' : 'acme';
    // With one sender, the organizations take turns.
    const turns: string[] = [];
    for (let count = 0; count < 3; count++) {
      const claimed = await claim();
      turns.push(nameOf(claimed));
      await settleDelivery(test.app, claimed, { delivered: true });
    }
    assert.deepEqual(turns, ['acme', 'globex', 'acme']);
    // While the servers of one organization hang, free senders serve the other as long as it has messages.
    const held = [await claim(), await claim(), await claim()];
    assert.deepEqual(held.map(nameOf), ['globex', 'acme', 'globex']);
    for (const one of held.filter((one) => nameOf(one) === 'globex')) {
      await settleDelivery(test.app, one, { delivered: true });
    }
    assert.deepEqual([await claim(), await claim()].map(nameOf), ['acme', 'acme']);
    const { id } = await fileRequest(test.app, globex.operator, { question: 'Fourth?' });
    await updateRequest(test.app, globex.operator, id, { status: 'resolved', response: 'Yes.' });
    assert.equal(nameOf(await claim()), 'globex');
  });

  onSqlite(it)('finds due and running deliveries by indexes only', async () => {
    await open();
    const statements: string[] = [];
    test.app.db.write.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    await addWebhook('https://hooks.example/');
    await resolve(await file());
    assert.ok((await claimDelivery(test.app)) !== undefined);
    const claim = statements.find((sql) => /^select .*outbox_deliveries.* as `due`/.test(sql));
    assert.ok(claim !== undefined, statements.join('\n'));
    const plan = await planOf(claim);
    assert.doesNotMatch(plan, /(SCAN|SEARCH) outbox_deliveries USING INDEX|SCAN outbox_deliveries/);
    assert.match(plan, /USING COVERING INDEX outbox_deliveries_leases/);
  });

  const planOf = async (sql: string) => {
    const explained = `explain query plan ${sql.replaceAll('?', "''")}`;
    const rows: { detail: string }[] = await test.app.db.read.raw(explained);
    return rows.map(({ detail }) => detail).join('\n');
  };
});
