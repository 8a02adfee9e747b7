import { addOrganization, addUser, openTestApp } from '../test/support/test-app.js';
import { connections, load, rowOf, seconds } from './load.js';
import type { Measure } from './measure.js';
import {
  addSampleEntries,
  entryCount,
  pagesOf,
  patternCount,
  questions,
} from './sample-entries.js';
import { startBareKoa, startServerProcess } from './server-process.js';

/** Requests per second of the page query and of messages, beside a bare Koa route in the same run. */
export async function measureRequests(): Promise<Measure> {
  const test = await openTestApp();
  try {
    const acme = await addOrganization(test);
    const reader = await addUser(test, acme, 'user');
    await addSampleEntries(test.app, acme);
    const bare = await startBareKoa();
    const server = await startServerProcess(test.app.config.database.path);
    try {
      const pages = pagesOf(acme.domain);
      const headers = {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${reader.token}`,
      };
      const pageQueries = pages.map((url) => ({
        method: 'GET' as const,
        path: `/api/knowledge/page?url=${encodeURIComponent(url)}`,
      }));
      const messages = questions.map((message, index) => ({
        method: 'POST' as const,
        path: '/api/conversations/message',
        headers,
        body: JSON.stringify({ message, context: { url: pages[index] ?? '', title: 'Station' } }),
      }));
      const loadBare = () => load('bare Koa route', bare, [{ method: 'GET', path: '/' }]);
      // The yardstick before and after: its mean allows for a machine that changes its speed meanwhile.
      const before = await loadBare();
      const ours = [
        await load('page query', server, pageQueries),
        await load('message (quoted answer)', server, messages),
      ];
      const after = await loadBare();
      const base = [before, after];
      return {
        name: 'requests',
        about: `${connections} connections for ${seconds} s each; ${entryCount} entries on one domain with ${patternCount} URL patterns, ${pages.length} pages and ${questions.length} questions in rotation; latency in ms; "of bare": share of what the bare route does`,
        rows: [before, ...ours, after].map((one) => rowOf(one, base)),
      };
    } finally {
      await server.stop();
      await bare.stop();
    }
  } finally {
    await test.close();
  }
}
