import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { endUnread } from '../../src/main/guard-connections.js';

describe('A long answer to a client', () => {
  const text = 'x'.repeat(20_000_000);
  let server: Server;
  let client: Socket;

  const ask = async (path: string) => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    const [kept] = (await once(server, 'connection')) as [Socket];
    client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(2));
    return kept;
  };
  afterEach(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });

  it('is aborted with its connection if the client reads nothing for a while', async () => {
    server = createServer((_request, response) => response.end(text));
    endUnread(server, 200);
    const kept = await ask('/');
    client.pause();
    await once(kept, 'close');
  });

  it('is sent completely if the client reads it, and so is a later slow answer', async () => {
    let count = 0;
    server = createServer((_request, response) => {
      count += 1;
      if (count === 1) response.end(text);
      // Longer than the time after which an unread answer is aborted.
      else setTimeout(() => response.end('the end'), 1000);
    });
    endUnread(server, 200);
    await ask('/');
    let received = '';
    await new Promise<void>((resolve) => {
      client.on('close', () => resolve());
      client.on('data', (part) => {
        received = (received + part.toString()).slice(-100);
        if (received.endsWith('the end')) resolve();
      });
    });
    assert.match(received, /the end$/);
  });
});
