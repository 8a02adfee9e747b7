import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseOllamaAddress } from '../../../src/platform/models/ollama-address.js';
import {
  createTransport,
  type OllamaTransport,
} from '../../../src/platform/models/ollama-transport.js';

describe('The connection to the model’s server', () => {
  let server: Server;
  let transport: OllamaTransport;
  let url: string;
  /** The number of requests on each connection. */
  let served: Map<Socket, number>;
  /** Whether the second request on a connection closes it without an answer. */
  let forgets: boolean;

  beforeEach(async () => {
    served = new Map();
    forgets = false;
    server = createServer((request, response) => {
      const { socket } = request;
      const before = served.get(socket) ?? 0;
      served.set(socket, before + 1);
      if (forgets && before > 0) socket.destroy();
      else response.setHeader('Content-Type', 'application/json').end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    transport = createTransport(parseOllamaAddress(url));
  });
  afterEach(async () => {
    await transport.close();
    server.close();
    await once(server, 'close');
  });

  const ask = async () => {
    const send = transport.fetchUntil(new AbortController().signal);
    const response = await send(`${url}/api/chat`, { method: 'POST', body: '{}' });
    const text = await response.text();
    // A kept connection is free for the next request only in a later turn of the event loop.
    await nextTurn();
    await nextTurn();
    return text;
  };

  it('is reused for the next request', async () => {
    for (let count = 0; count < 3; count++) assert.equal(await ask(), '{}');
    assert.deepEqual([...served.values()], [3]);
  });

  it('is opened again if the server has closed it', async () => {
    forgets = true;
    for (let count = 0; count < 2; count++) assert.equal(await ask(), '{}');
    assert.deepEqual([...served.values()], [2, 1]);
  });
});
