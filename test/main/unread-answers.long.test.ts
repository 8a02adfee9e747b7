import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { endUnread } from '../../src/main/guard-connections.js';

describe('A long answer', () => {
  it('is sent completely to a client that reads it slowly, but without a pause', async () => {
    const size = 12_000_000;
    const server = createServer((_request, response) => response.end(Buffer.alloc(size)));
    endUnread(server, 1000);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    let received = 0;
    client.on('readable', () => undefined);
    const reading = setInterval(() => {
      // 2 MB in a second.
      for (let left = 100_000; left > 0;) {
        const part = client.read(
          Math.min(left, client.readableLength) || undefined,
        ) as Buffer | null;
        if (part === null) break;
        received += part.length;
        left -= part.length;
      }
    }, 50);
    await once(client, 'close');
    clearInterval(reading);
    server.close();
    assert.ok(received > size, String(received));
  });
});
