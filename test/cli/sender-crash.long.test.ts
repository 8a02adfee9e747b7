import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createWebhook } from '../../src/notifications/manage-webhooks.js';
import { openApp } from '../../src/main/open-app.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { makeInitialized, type RunningCli, type TestInstallation } from '../support/run-cli.js';

const env = {
  ASSISTANT_NOTIFICATIONS_LEASE_MS: '1000',
  ASSISTANT_NOTIFICATIONS_POLL_MS: '50',
  ASSISTANT_WEBHOOKS_ALLOW_PRIVATE: 'true',
};

describe('A worker that dies while it sends a message', () => {
  let installation: TestInstallation;
  let worker: RunningCli | undefined;
  // The received requests. Without an answer, the worker does not know that a message has arrived.
  const received: { id: string; reply: ServerResponse }[] = [];
  const receiver = createServer((request, reply) => {
    request.resume();
    received.push({ id: String(request.headers['webhook-id']), reply });
  });

  before(async () => {
    installation = await makeInitialized();
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const path = join(installation.folder, 'data', 'assistant.sqlite');
    const app = await openApp(
      configSchema.parse({
        ...{ database: { path }, log: { level: 'silent' } },
        webhooks: { allow_private: true },
      }),
    );
    try {
      const operator = { kind: 'operator', organizationId: 1 } as const;
      await createWebhook(app, operator, { url: `http://127.0.0.1:${port}/` });
      const { id } = await fileRequest(app, operator, { question: 'Where is the pump?' });
      await updateRequest(app, operator, id, { status: 'resolved', response: 'In the cellar.' });
    } finally {
      await app.close();
    }
  });
  after(async () => {
    // A running worker would keep the test run from ending, even after a failed test.
    worker?.child.kill('SIGKILL');
    await worker?.ended;
    receiver.closeAllConnections();
    receiver.close();
    await installation.remove();
  });

  it('leaves the message to the next worker, which sends it once under the same id', async () => {
    const first = once(receiver, 'request');
    worker = installation.start(['worker'], env);
    await first;
    worker.child.kill('SIGKILL');
    await worker.ended;

    const second = once(receiver, 'request');
    worker = installation.start(['worker'], env);
    await second;
    received[1]?.reply.writeHead(204).end();
    worker.child.kill('SIGTERM');
    assert.equal((await worker.ended).code, 0);

    const later = await installation.run(['worker', '--once', '--json'], { env });
    assert.deepEqual(JSON.parse(later.stdout), { attempts: 0 });
    assert.equal(received.length, 2);
    assert.equal(received[0]?.id, received[1]?.id);
    assert.match(received[0]?.id ?? '', /^[0-9a-f-]{36}$/);
  });
});
