import { Agent, request } from 'node:http';
import { setInterval as every } from 'node:timers/promises';

/** What somebody asks for again and again, and how often a second. */
export interface Visit {
  name: string;
  perSecond: number;
  requests: {
    method: 'GET' | 'POST';
    path: string;
    headers: Record<string, string>;
    body?: string;
  }[];
}

/** Milliseconds of each answer, and how many there were not. */
export type Waited = Record<string, { ms: number[]; failed: number }>;

// A program of its own, started by flood.ts: people who keep asking at their own pace, whatever the server does.
const [address = '', visits = '[]', seconds = '1'] = process.argv.slice(2);
const { hostname, port } = new URL(address);
const waited: Waited = {};
const open: Promise<void>[] = [];
const end = performance.now() + Number(seconds) * 1000;

await Promise.all((JSON.parse(visits) as Visit[]).map(visit));
await Promise.all(open);
process.send?.(waited);

async function visit({ name, perSecond, requests }: Visit): Promise<void> {
  const own = (waited[name] = { ms: [], failed: 0 });
  const agents = Array.from(
    { length: 10 },
    (_, index) => new Agent({ keepAlive: true, localAddress: `127.200.0.${index + 1}` }),
  );
  let count = 0;
  for await (const _ of every(1000 / perSecond)) {
    if (performance.now() > end) break;
    const wanted = requests[count % requests.length];
    const agent = agents[count % agents.length];
    count += 1;
    if (wanted === undefined || agent === undefined) break;
    open.push(ask(wanted, agent, own));
  }
}

function ask(
  { method, path, headers, body }: Visit['requests'][number],
  agent: Agent,
  own: Waited[string],
): Promise<void> {
  const started = performance.now();
  return new Promise((resolve) => {
    const failed = () => {
      own.failed += 1;
      resolve();
    };
    const call = request({ hostname, port, method, path, headers, agent }, (response) => {
      response.resume();
      response.on('error', failed);
      response.on('end', () => {
        if (response.statusCode !== 200) own.failed += 1;
        else own.ms.push(performance.now() - started);
        resolve();
      });
    });
    call.on('error', failed);
    call.end(body);
  });
}
