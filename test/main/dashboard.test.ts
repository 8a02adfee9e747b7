import assert from 'node:assert/strict';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import { readPage } from '../documentation/read-page.js';
import { callApi } from '../support/api-client.js';
import { embedDuePassages } from '../../src/search/vectors/embed-due-passages.js';
import { addOrganization, addUser, serveTestApp, type TestApp } from '../support/test-app.js';

interface Dashboard {
  panels: { type: string; title: string; targets?: { expr: string; legendFormat: string }[] }[];
  templating: { list: { query: string | { query: string } }[] };
}

const { panels, templating } = JSON.parse(readPage('docs/grafana-dashboard.json')) as Dashboard;
const targets = panels.flatMap(({ targets = [] }) => targets);

interface Used {
  metric: string;
  matchers: { label: string; operator: string; value: string }[];
  /** Labels that the query groups by, or the legend shows. */
  labels: string[];
}

/** The metrics that a query selects, and the labels that it uses of them. */
function usesOf({ expr, legendFormat }: { expr: string; legendFormat: string }): Used[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(', '),
  );
  const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
  return [...expr.matchAll(/\b([a-z]\w*)\{([^}]*)\}/g)].map(([, metric = '', inside = '']) => ({
    metric,
    matchers: [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => ({ label, operator, value }),
    ),
    labels: [...new Set([...grouped, ...shown])],
  }));
}

/** Labels that Prometheus itself adds. */
const ofPrometheus = ['job', 'instance'];

function fits({ operator, value }: Used['matchers'][number], actual: string): boolean {
  const isEqual = operator.includes('~')
    ? new RegExp(`^(?:${value})$`).test(actual)
    : value === actual;
  return operator.startsWith('!') ? !isEqual : isEqual;
}

describe('The Grafana dashboard', () => {
  let test: TestApp & { url: string };
  let ollama: OllamaStandIn;
  let samples: { metric: string; labels: Record<string, string> }[];

  /** A server with values for everything that the dashboard shows. */
  before(async () => {
    ollama = await startOllamaStandIn({ answer: () => 'It is cleaned by a wombat [1].' });
    test = await serveTestApp({
      limits: { messages_per_minute: 2 },
      ollama: { url: ollama.url, embedding_model: 'nomic-embed-text', embedding_poll_ms: 600_000 },
    });
    const acme = await addOrganization(test);
    const ada = await addUser(test, acme, 'backoffice');
    await storeEntry(test, acme, { title: 'Filter', content: 'The filter is cleaned monthly.' });
    while ((await embedDuePassages(test.app)).elsewhere);
    const ask = async () => {
      const body = {
        message: 'How often is the filter cleaned?',
        context: { url: 'https://acme.example/', title: '' },
      };
      const headers = { Accept: 'text/event-stream' };
      await callApi(`${test.url}/api/conversations/message`, { token: ada.token, body, headers });
    };
    await ask();
    ollama.models = ['nomic-embed-text:latest'];
    await assert.rejects(test.app.models.chat({ messages: [{ role: 'user', content: 'x' }] }));
    for (let more = 0; more < 2; more++) await ask();
    const now = test.app.clock.now().toISOString();
    const owned = { organization_id: acme.operator.organizationId, created_at: now };
    await test.app.db.write('ingestion_batches').insert({
      ...{ ...owned, updated_at: now, app_id: acme.appId, id: 'a', status: 'failed' },
      ...{ file_name: 'a', file_sha256: 'a', file_size: 1, created_by: 'test' },
    });
    const [notification] = await test.app.db
      .write('notifications')
      .insert({ ...owned, kind: 'k', dedupe_key: 'k', payload: '{}' })
      .returning<{ id: number }[]>('id');
    await test.app.db.write('outbox_deliveries').insert({
      ...{ ...owned, updated_at: now, not_before: now, notification_id: notification?.id },
      ...{ channel: 'mail', target: 'x', payload: '{}', status: 'dead' },
    });
    const text = await (await fetch(`${test.url}/metrics`)).text();
    samples = [...text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)].map(
      ([, metric = '', inside = '']) => ({
        metric,
        labels: Object.fromEntries(
          [...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
            name,
            value,
          ]),
        ),
      }),
    );
  });
  after(async () => {
    await test.close();
    await ollama.stop();
  });

  it('uses only metrics of /metrics, with labels and values that exist', () => {
    assert.ok(targets.length > 15);
    for (const target of targets) {
      const uses = usesOf(target);
      assert.ok(uses.length > 0, target.expr);
      for (const { metric, matchers, labels } of uses) {
        const found = samples.some(
          (sample) =>
            sample.metric === metric &&
            labels.every((label) => ofPrometheus.includes(label) || label in sample.labels) &&
            matchers.every(
              (matcher) =>
                ofPrometheus.includes(matcher.label) ||
                fits(matcher, sample.labels[matcher.label] ?? ''),
            ),
        );
        assert.ok(found, `/metrics has nothing for: ${target.expr}`);
      }
    }
  });

  it('has balanced brackets in its queries, and selects the job by an existing metric', () => {
    for (const { expr } of targets) {
      const open: string[] = [];
      for (const sign of expr.replaceAll(/"[^"]*"/g, '')) {
        if ('([{'.includes(sign)) open.push(')]}'['([{'.indexOf(sign)] ?? '');
        if (')]}'.includes(sign)) assert.equal(open.pop(), sign, expr);
      }
      assert.deepEqual(open, [], expr);
    }
    const queries = templating.list.map(({ query }) =>
      typeof query === 'string' ? query : query.query,
    );
    const metric = /label_values\((\w+), job\)/.exec(queries.join('\n'))?.[1];
    assert.ok(samples.some((sample) => sample.metric === metric));
  });

  it('shows every metric of the product', () => {
    const shown = new Set(targets.flatMap(usesOf).map(({ metric }) => metric));
    // The number of the generation means nothing on a graph.
    const left = ['assistant_vector_generation'];
    const own = samples.filter(({ metric }) => metric.startsWith('assistant_'));
    const missing = own
      .map(({ metric }) => metric.replace(/_(?:bucket|sum|count)$/, ''))
      .filter((name) => ![...shown].some((one) => one.startsWith(name)) && !left.includes(name));
    assert.deepEqual([...new Set(missing)], []);
  });
});
