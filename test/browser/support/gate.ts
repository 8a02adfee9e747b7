import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';

/**
 * A proxy between browser and service, which can fail like real proxies, firewalls and tunnels. The browser uses the
 * gate's address, so that the service behind it can stop and start elsewhere.
 */
export interface Gate {
  url: string;
  /** Where the service is now. */
  target: string;
  /** Nothing gets through: connections end, and new ones are refused by closing them. */
  offline: boolean;
  /** Upgrades to a WebSocket: let through, answered 403, or swallowed (the handshake never ends). */
  sockets: 'pass' | 'refuse' | 'swallow';
  /** Event streams: let through, buffered until they end, or answered 502. */
  streams: 'pass' | 'buffer' | 'refuse';
  /** Method and path of every request, including refused ones. Upgrades are `WS /path`. */
  requests: string[];
  /** Bodies of the POST requests that came, by their path. */
  bodies: { path: string; body: string; headers: IncomingMessage['headers'] }[];
  /** Ends all current connections. New ones are accepted. */
  cut(): void;
  close(): Promise<void>;
}

export async function openGate(target: string): Promise<Gate> {
  const connections = new Set<Socket>();
  const server = createServer((request, response) => {
    void forward(gate, request, response).catch(() => response.destroy());
  });
  const hold = (socket: Socket) => {
    connections.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => connections.delete(socket));
    if (gate.offline) socket.destroy();
  };
  const gate: Gate & { isOffline: boolean } = {
    ...{ url: '', target, isOffline: false, sockets: 'pass', streams: 'pass' },
    ...{ requests: [], bodies: [] },
    get offline() {
      return this.isOffline;
    },
    set offline(value) {
      this.isOffline = value;
      if (value) this.cut();
    },
    cut: () => connections.forEach((socket) => socket.destroy()),
    async close() {
      this.cut();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('connection', hold);
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    gate.requests.push(`WS ${request.url ?? ''}`);
    if (gate.sockets === 'swallow') return;
    if (gate.sockets === 'refuse') {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(gate.target);
    const inner = connect(Number(port), hostname, () => {
      const headers = pairs(request.rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
      inner.write(`GET ${request.url ?? '/'} HTTP/1.1\r\n${headers.join('')}\r\n`);
      inner.write(head);
      inner.pipe(socket).pipe(inner);
    });
    hold(inner);
    // When one end of a connection closes, the other one closes too.
    inner.once('close', () => socket.destroy());
    socket.once('close', () => inner.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  gate.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gate;
}

async function forward(gate: Gate, request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? '/';
  gate.requests.push(`${request.method ?? ''} ${path}`);
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  if (request.method === 'POST')
    gate.bodies.push({ path, body: body.toString(), headers: request.headers });
  const wantsEvents = request.headers.accept?.includes('text/event-stream') === true;
  if (wantsEvents && gate.streams === 'refuse') {
    response.writeHead(502, corsOf(request)).end('Bad Gateway');
    return;
  }
  const url = new URL(path, gate.target);
  const inner = send(url, { method: request.method, headers: request.headers, agent: false });
  response.once('close', () => inner.destroy());
  inner.end(body);
  const [answer] = (await once(inner, 'response')) as [IncomingMessage];
  const isBuffered = wantsEvents && gate.streams === 'buffer';
  if (!isBuffered) response.writeHead(answer.statusCode ?? 502, pairs(answer.rawHeaders).flat());
  if (!isBuffered) {
    answer.once('error', () => response.destroy());
    answer.pipe(response);
    return;
  }
  const held: Buffer[] = [];
  for await (const part of answer) held.push(part as Buffer);
  response.writeHead(answer.statusCode ?? 502, pairs(answer.rawHeaders).flat());
  response.end(Buffer.concat(held));
}

/** CORS headers that let the page read the proxy’s own refusal. The tests do not depend on them. */
function corsOf(request: IncomingMessage): Record<string, string> {
  return { 'access-control-allow-origin': request.headers.origin ?? '*' };
}

function pairs(raw: string[]): [string, string][] {
  return raw.flatMap<[string, string]>((name, at) =>
    at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : [],
  );
}
