import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Attack, Flood, Sent } from './flood.js';

// A program of its own, started by flood.ts, whose attackers come from addresses of their own (127.x.y.z).
/** As long as a JSON body may be that staff sends, and one that asks, less what would make it too long. */
const lengths = [1_000_000, 125_000];
const sockets = 500;
const senders = 32;

const { chosen, token, attacked, pace } = JSON.parse(process.argv[2] ?? '') as Attack;
const { hostname, port } = new URL(attacked);
const where = { hostname, port: Number(port) };
const started = performance.now();
const cpuBefore = process.cpuUsage();
let sent = 0;
// Attackers have machines of their own: what they take of this one is not to be counted.
setPriority(19);
let stopping = false;

/** Ends when the parent says so. */
process.once('message', () => {
  stopping = true;
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - started) / 1000;
  process.send?.({ sent, seconds, cpuMs: (user + system) / 1000 } satisfies Sent);
  process.exit();
});

const bearer = { authorization: `Bearer ${token}` };
const question = (message: string) => JSON.stringify({ message, context: { url: 'https://a.b/' } });
const bigBodies = lengths.flatMap((length) => [
  question('x'.repeat(length - 200)),
  `{"message":[${'{"a":1},'.repeat(length / 8 - 10)}0]}`,
]);
const bodies: Partial<Record<Flood, () => { path: string; headers: object; body: string }>> = {
  'sign-ins': () => ({
    path: '/api/auth/login',
    headers: {},
    body: JSON.stringify({ email: `${Math.random()}@mail.example`, password: 'a wrong password' }),
  }),
  'big JSON': () => ({
    path: '/api/conversations/message',
    headers: bearer,
    // Whole and valid; every second one is long by its many small parts.
    body: bigBodies[sent % bigBodies.length] as string,
  }),
  'invalid bodies': () => ({
    path: ['/api/conversations/message', '/api/auth/login', '/widget/message'][sent % 3] ?? '',
    headers: sent % 3 === 0 ? bearer : {},
    body: [
      '['.repeat(100_000),
      `{"message":"${'\\u0000'.repeat(15_000)}`,
      `{${'"k":{'.repeat(15_000)}`,
      JSON.stringify({ message: 7, context: Array.from({ length: 5000 }, () => ({})) }),
      '\u0000'.repeat(100_000),
    ][sent % 5] as string,
  }),
};

for (const [index, flood] of chosen.entries()) {
  const make = bodies[flood];
  const from = (number: number) => `127.${10 + index}.${number % 4}.${1 + (number % 250)}`;
  if (make !== undefined) {
    for (let number = 0; number < senders; number += 1) void sendAgain(make, from(number));
  } else {
    for (let number = 0; number < sockets; number += 1) void hold(flood, from(number));
  }
}

/** One connection that sends as soon as it was answered. */
async function sendAgain(
  make: () => { path: string; headers: object; body: string },
  localAddress: string,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
  while (!stopping) {
    const aheadMs = pace === 0 ? 0 : (sent * 1000) / pace - (performance.now() - started);
    if (aheadMs > 0) {
      await wait(aheadMs);
      continue;
    }
    const { path, headers, body } = make();
    sent += 1;
    await new Promise<void>((resolve) => {
      const type = { 'content-type': 'application/json' };
      const length = { 'content-length': Buffer.byteLength(body) };
      const call = request(
        { ...where, method: 'POST', path, agent, headers: { ...type, ...length, ...headers } },
        (response) => {
          response.resume();
          response.on('close', () => {
            // An attacker does not wait until the server has taken the rest.
            if (!call.writableFinished) call.destroy();
            resolve();
          });
        },
      );
      // Refused while it is still sending: the connection ends, and the next one begins.
      call.on('error', () => resolve());
      call.on('close', resolve);
      call.end(body);
    });
  }
}

/** One connection that never completes its request, and is opened again once the server has had enough of it. */
async function hold(flood: Flood, localAddress: string): Promise<void> {
  while (!stopping) {
    sent += 1;
    const socket = connect({ host: hostname, port: where.port, localAddress });
    socket.on('error', () => undefined);
    socket.write('POST /api/conversations/message HTTP/1.1\r\nHost: a\r\n');
    if (flood === 'slow bodies') await drip(socket);
    else await new Promise((resolve) => socket.on('close', resolve));
    await wait(200);
  }
}

async function drip(socket: Socket): Promise<void> {
  const type = 'Content-Type: application/json';
  socket.write(`Authorization: Bearer ${token}\r\n${type}\r\nContent-Length: 100000\r\n\r\n{`);
  while (!socket.destroyed && !stopping) {
    await wait(500);
    socket.write(' ');
  }
}
