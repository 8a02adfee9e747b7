import { Agent, request } from 'node:http';

/** What to open: each page so many times by each of so many people, one page after the other. */
export interface Visits {
  url: string;
  cookie: string;
  paths: string[];
  times: number;
  people: number;
}

/** By path: milliseconds to the first byte of each answer, the bytes of one as they were transferred, and failures. */
export type Opened = Record<string, { ms: number[]; bytes: number; failed: number }>;

// A program of its own, started by backoffice.ts, so that the one who measures shares no thread with the server.
const { url, cookie, paths, times, people } = JSON.parse(process.argv[2] ?? '{}') as Visits;
const opened: Opened = Object.fromEntries(
  paths.map((path) => [path, { ms: [], bytes: 0, failed: 0 }]),
);
process.send?.('begins');
await Promise.all(Array.from({ length: people }, (_, index) => pageThrough(index)));
process.send?.(opened);

async function pageThrough(person: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let round = 0; round < times; round += 1) {
    for (let index = 0; index < paths.length; index += 1) {
      // Each person begins elsewhere, as people do.
      await open(paths[(index + person) % paths.length] ?? '/', agent);
    }
  }
  agent.destroy();
}

function open(path: string, agent: Agent): Promise<void> {
  const own = opened[path];
  if (own === undefined) return Promise.resolve();
  const { hostname, port } = new URL(url);
  const headers = { cookie, 'accept-encoding': 'gzip, br' };
  const started = performance.now();
  return new Promise((resolve) => {
    const call = request({ hostname, port, path, headers, agent }, (response) => {
      own.ms.push(performance.now() - started);
      if (response.statusCode !== 200) own.failed += 1;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => {
        own.bytes = bytes;
        resolve();
      });
    });
    call.on('error', () => {
      own.failed += 1;
      resolve();
    });
    call.end();
  });
}
