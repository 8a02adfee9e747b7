import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { options } from 'preact';
import { openPageClient, type PageClient } from '../test/backoffice/support/page-client.js';
import { addOrganization, addUser, serveTestApp } from '../test/support/test-app.js';
import { seePages, timeDrafts, type Seen } from './backoffice-browser.js';
import { observe } from './event-loop.js';
import { commonWord, fillBackoffice, rareWord, whole, type Amounts } from './fill-backoffice.js';
import { percentile, round, type BenchOptions, type Measure, type Row } from './measure.js';
import type { Opened, Visits } from './open-pages.js';

const times = 40;
const people = 20;
const viewsForCpu = 10;
const draftsAccepted = 20;
/** How many pages further "far on" is. */
const farOn = 20;
/** Kilobytes and milliseconds, as the design sets them. */
const budget = { first: 60, next: 20, ms: 50, insights: 100, markup: 5, loop: 20, draft: 150 };

/** The pages by what they show. */
const pages: Record<string, string> = {
  today: '/',
  documents: '/documents',
  'documents that failed': '/documents?status=failed',
  'a document': '/documents/b0000000-0000-4000-8000-000000000000',
  review: '/documents/b0000000-0000-4000-8000-000000000000/review',
  entries: '/knowledge',
  'entries by title': '/knowledge?sort=title',
  'entries, latest created': '/knowledge?sort=-created_at',
  'drafts among entries': '/knowledge?status=draft',
  'entries for everybody': '/knowledge?visibility=public',
  'an entry': '/knowledge/e0000000-0000-4000-8000-000000000007',
  questions: '/questions',
  'all questions': '/questions?status=all',
  'questions with a word': `/questions?status=all&q=${rareWord}`,
  'a question': '/questions/7',
  conversations: '/conversations',
  'conversations rated bad': '/conversations?rating=down',
  'conversations without an answer': '/conversations?found=false',
  'conversations with a frequent word': `/conversations?q=${commonWord}`,
  'conversations with a rare word': `/conversations?q=${rareWord}`,
  'a conversation': '/conversations/c0000000-0000-4000-8000-000000000007',
  people: '/people',
  'people with a name': `/people?q=${rareWord}`,
  changes: '/changes',
  usage: '/usage',
  system: '/system',
  settings: '/system/settings',
  insights: '/insights',
  'unanswered questions': '/questions/unanswered',
  'search, a frequent word': `/search?q=${commonWord}`,
  'search, a rare word': `/search?q=${rareWord}`,
};
/** Lists whose pages are followed, by the name of their first. */
const followed = ['documents', 'entries', 'entries by title', 'all questions', 'conversations'];

/** What the pages of the backoffice weigh and take, with as much data as the design counts on. */
export async function measureBackoffice({ share }: BenchOptions): Promise<Measure> {
  // Each fortieth message is rated, and each fourth begins a conversation.
  const part = Object.entries(whole).map(([kind, amount]) => [
    kind,
    Math.ceil((amount * share) / 40) * 40,
  ]);
  return measurePages(Object.fromEntries(part) as Amounts, { times, people });
}

/** The same with other amounts: each page so many times, and then by so many people at once. */
export async function measurePages(
  amounts: Amounts,
  { times, people }: Pick<Visits, 'times' | 'people'>,
): Promise<Measure> {
  const test = await serveTestApp({ answers: { mode: 'extractive' } });
  try {
    const acme = await addOrganization(test);
    const admin = await addUser(test, acme, 'admin');
    await fillBackoffice(test, acme, amounts);
    const megabytes = (await stat(test.app.config.database.path)).size / 1e6;
    const client = openPageClient(test.url);
    await client.signIn(admin);
    const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ');
    const wanted = await addressesOf(client);
    const assets = await bytesOfAssets(client);
    const paths = [...wanted.values()];
    const visits = { url: test.url, cookie, paths };
    // What is compiled and read for the first time is not what the figures are about.
    await visit({ ...visits, times: 3, people: 1 });
    const { opened } = await visit({ ...visits, times, people: 1 });
    const cpu = await cpuOf(visits);
    const markup = await markupOf(client, wanted);
    // Nobody's figures wait for the insights, which have a row of their own.
    const crowd = paths.filter((path) => !path.includes('/insights'));
    const loop = await observe(async () => {
      await visit({ ...visits, paths: crowd, times: 2, people });
    });
    const { cookies } = client;
    const seen = await seePages({ url: test.url, cookies }, paths);
    const reviewed = wanted.get('review');
    const before = process.cpuUsage();
    const drafts = await timeDrafts({ url: test.url, cookies }, reviewed ?? '', draftsAccepted);
    const { user, system } = process.cpuUsage(before);
    const rows = [...wanted].map(([page, path]): Row => {
      const { ms, bytes, failed } = opened[path] ?? { ms: [], bytes: 0, failed: 0 };
      return {
        page,
        'first kB': round((bytes + assets) / 1024),
        'next kB': round(bytes / 1024),
        p50: percentile(ms, 50),
        p95: percentile(ms, 95),
        budget: page === 'insights' ? budget.insights : budget.ms,
        CPU: round(cpu.get(path) ?? 0),
        markup: markup.get(page) ?? '',
        ...seenOf(seen.get(path)),
        failed,
      };
    });
    const draft = {
      page: 'next draft after a key',
      ...{ p50: percentile(drafts, 50), p95: percentile(drafts, 95), budget: budget.draft },
      CPU: round((user + system) / 1000 / draftsAccepted),
    };
    const everybody = { page: `${people} people at once`, p50: loop.p50, p99: loop.p99 };
    return {
      name: 'backoffice',
      about: `pages for an admin with ${amounts.entries} entries, ${amounts.messages} messages and ${amounts.batches} batches (a file of ${round(megabytes)} MB): kilobytes as transferred with and without style sheet and script (budgets ${budget.first} and ${budget.next}), ms to the first byte in ${times} requests with their budget of p95, ms of the server's processor time for one view, ms of making the markup (budget ${budget.markup}; median of five), what moves in a browser without an input (budget 0), and the longest task of its main thread in ms by the clock and by its processor time (budget 50). The row before the last: ms from the key that accepts a draft to the next one. Last row: delay of the event loop in ms while they page through everything but the insights (budget p99 ${budget.loop})`,
      rows: [...rows, draft, { ...everybody, budget: budget.loop }],
    };
  } finally {
    await test.close();
  }
}

function seenOf(seen: Seen | undefined): Row {
  if (seen === undefined) return {};
  const { shift, task, taskCpu } = seen;
  return { shift: round(shift), task: round(task), 'task CPU': round(taskCpu) };
}

/** The addresses of the pages that are there, and of those to which "next" leads from the lists. */
async function addressesOf(client: PageClient): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [page, path] of Object.entries(pages)) {
    const answer = await client.open(path);
    if (answer.status !== 200) continue;
    found.set(page, `/backoffice${path}`);
    if (!followed.includes(page)) continue;
    for (let at = 0, text = answer.text; at < farOn; at += 1) {
      const [, next] = /<a rel="next" href="([^"]+)"/.exec(text) ?? [];
      if (next === undefined) break;
      const address = next.replaceAll('&amp;', '&');
      found.set(at === 0 ? `${page}, next` : `${page}, far on`, address);
      ({ text } = await client.open(address.replace('/backoffice', '')));
    }
  }
  return found;
}

/** The bytes of style sheet and script as they are transferred. */
async function bytesOfAssets(client: PageClient): Promise<number> {
  const { text } = await client.open('/');
  const paths = [...text.matchAll(/(?:href|src)="(\/backoffice\/assets\/[^"]+\.(?:css|js))"/g)];
  let bytes = 0;
  for (const [, path = ''] of paths) {
    const asset = await client.open(path.replace('/backoffice', ''), { 'accept-encoding': 'br' });
    bytes += Number(asset.headers.get('content-length'));
  }
  return bytes;
}

/** Milliseconds that Preact takes to write each page: from the first thing that it looks at until it has done. */
async function markupOf(client: PageClient, wanted: Map<string, string>) {
  // The names that Preact's hooks have in its build.
  const hooks = options as { __b?: (node: unknown) => void; __c?: (...given: unknown[]) => void };
  const { __b: before, __c: after } = hooks;
  let began: number | undefined;
  let ms: number[] = [];
  hooks.__b = (node) => {
    began ??= performance.now();
    before?.(node);
  };
  hooks.__c = (...given) => {
    if (began !== undefined) ms.push(performance.now() - began);
    began = undefined;
    after?.(...given);
  };
  const medians = new Map<string, number>();
  for (const [page, path] of wanted) {
    ms = [];
    for (let turn = 0; turn < 5; turn += 1) await client.open(path.replace('/backoffice', ''));
    medians.set(page, percentile(ms, 50));
  }
  Object.assign(hooks, { __b: before, __c: after });
  return medians;
}

/** Milliseconds of processor time that the server takes for a view of each path, with all its threads. */
async function cpuOf(visits: Pick<Visits, 'url' | 'cookie' | 'paths'>) {
  const found = new Map<string, number>();
  for (const path of visits.paths) {
    const { cpuMs } = await visit({ ...visits, paths: [path], times: viewsForCpu, people: 1 });
    found.set(path, cpuMs / viewsForCpu);
  }
  return found;
}

/** What a client of its own process saw, and the processor time that this process took meanwhile. */
async function visit(visits: Visits): Promise<{ opened: Opened; cpuMs: number }> {
  const program = fileURLToPath(new URL('./open-pages.js', import.meta.url));
  const child = fork(program, [JSON.stringify(visits)]);
  await once(child, 'message');
  const before = process.cpuUsage();
  const [opened] = (await once(child, 'message')) as [Opened];
  const { user, system } = process.cpuUsage(before);
  child.kill();
  return { opened, cpuMs: (user + system) / 1000 };
}
