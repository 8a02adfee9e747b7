import assert from 'node:assert/strict';
import {
  startCollectorStandIn,
  type CollectorStandIn,
  type SentSpan,
} from '../../support/collector-stand-in.js';
import { startOllamaStandIn, type OllamaStandIn } from '../../support/ollama-stand-in.js';
import { makeInitialized, type RunningCli, type TestInstallation } from '../../support/run-cli.js';
import { sampleManual } from '../../support/sample-manual.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';

describe('The telemetry of a server', () => {
  let installation: TestInstallation;
  let ollama: OllamaStandIn;
  let collector: CollectorStandIn;
  let server: RunningCli;
  let url: string;
  let token: string;

  before(async () => {
    installation = await makeInitialized();
    ollama = await startOllamaStandIn({ answer: () => 'The zebrafilter is cleaned monthly [1].' });
    collector = await startCollectorStandIn();
    const args = ['tokens', 'create', '--user', 'ada@acme.example', '--name', 'test'];
    ({ token } = await installation.json<{ token: string }>(args));
    server = installation.start(['serve', '--port', '0'], {
      ASSISTANT_OLLAMA_URL: ollama.url,
      ASSISTANT_OLLAMA_EMBEDDING_MODEL: 'nomic-embed-text',
      ASSISTANT_OLLAMA_EMBEDDING_POLL_MS: '50',
      ASSISTANT_INGESTION_ENTRIES: 'sections',
      ASSISTANT_LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
    });
    url = (await server.until(/serves at (\S+)/))[1] ?? '';
  });
  after(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
    await Promise.all([ollama.stop(), collector.stop(), installation.remove()]);
  });

  const post = async (path: string, body: object | FormData, headers = {}) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        ...(isForm ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: isForm ? body : JSON.stringify(body),
    });
    await response.text();
    return response.status;
  };
  const find = (name: string, fits: (span: SentSpan) => boolean = () => true) =>
    collector.spans.find((span) => span.name === name && fits(span));
  /** Waits for the span, which is sent after its end. */
  const spanOf = async (name: string, fits?: (span: SentSpan) => boolean) => {
    await collector.until(() => find(name, fits) !== undefined);
    return find(name, fits) as SentSpan;
  };

  it('traces a question from the caller’s trace to the request to the model', async () => {
    const content = 'The zebrafilter of the pump is cleaned every month with warm water.';
    const entry = { title: 'Zebrafilter', content, domain: 'docs.acme.example' };
    assert.equal(await post('/api/knowledge', { ...entry, status: 'published' }), 201);
    // Until then, questions are not embedded.
    const isLive = () =>
      Number(collector.metrics.get('assistant_vector_generation')?.points[0]?.value) > 0;
    await collector.until(isLive);
    const question = {
      message: 'How often is the zebrafilter cleaned? Write to quagga@acme.example.',
      context: { url: 'https://docs.acme.example/okapi?q=okapi', title: 'Okapi' },
    };
    const asked = await post('/api/conversations/message', question, {
      Accept: 'text/event-stream',
      traceparent: `00-${traceId}-${callerSpan}-01`,
      tracestate: 'vendor=gnu',
      'X-Request-Id': 'tapir',
    });
    assert.equal(asked, 200);

    const ofCaller = (span: SentSpan) => span.traceId === traceId;
    const request = await spanOf('POST /api/conversations/message', ofCaller);
    assert.equal(request.parentSpanId, callerSpan);
    assert.equal(request.kind, 2);
    assert.equal(request.attributes['http.route'], '/api/conversations/message');
    assert.equal(request.attributes['http.response.status_code'], 200);

    const whole = await spanOf('question', ofCaller);
    assert.equal(whole.parentSpanId, request.spanId);
    assert.deepEqual(whole.events, ['first_word']);
    assert.equal(whole.attributes['assistant.answer.mode'], 'ollama');
    assert.equal(whole.attributes['assistant.answer.found'], true);

    const search = await spanOf('search', ofCaller);
    assert.equal(search.parentSpanId, whole.spanId);
    assert.equal(
      (await spanOf('embeddings nomic-embed-text', ofCaller)).parentSpanId,
      search.spanId,
    );

    const chat = await spanOf('chat llama3.2', ofCaller);
    assert.equal(chat.parentSpanId, whole.spanId);
    assert.equal(chat.kind, 3);
    assert.deepEqual(chat.events, ['sent', 'first_word']);
    assert.ok(Number(chat.attributes['gen_ai.usage.output_tokens']) > 0);

    const call = ollama.requests.find(({ path }) => path === '/api/chat');
    assert.equal(call?.headers['traceparent'], `00-${traceId}-${chat.spanId}-01`);
    assert.equal(call.headers['tracestate'], undefined);
    assert.match(server.stderr(), new RegExp(`"request_id":"tapir","trace_id":"${traceId}"`));
  });

  it('shows the stages of an ingestion in one trace', async () => {
    const form = new FormData();
    form.set('domain', 'docs.acme.example');
    form.set(
      'file',
      new Blob([(await sampleManual(3, 'bongo')) as Uint8Array<ArrayBuffer>]),
      'aardvark.pdf',
    );
    assert.equal(await post('/api/knowledge/ingest-pdf', form), 202);
    const whole = await spanOf('ingestion');
    assert.equal(whole.failed, false);
    assert.equal(whole.parentSpanId, undefined, 'it is not part of the upload');
    for (const stage of ['read', 'layout', 'store']) {
      const span = await spanOf(`ingestion.${stage}`);
      assert.deepEqual([span.traceId, span.parentSpanId], [whole.traceId, whole.spanId], stage);
    }
    assert.ok(Number((await spanOf('ingestion.store')).attributes['assistant.sections']) > 0);
  });

  it('shows the embedding of passages', async () => {
    const embed = await spanOf('ingestion.embed');
    assert.equal(embed.parentSpanId, undefined);
    const ofEmbed = (span: SentSpan) => span.parentSpanId === embed.spanId;
    assert.equal((await spanOf('embeddings nomic-embed-text', ofEmbed)).traceId, embed.traceId);
  });

  it('marks a failed span with the code of its error', async () => {
    ollama.refuse = { status: 500, reason: 'the model saw a kudu' };
    const message = {
      message: 'How often is the zebrafilter cleaned?',
      context: { url: 'https://docs.acme.example/', title: '' },
    };
    assert.equal(await post('/api/conversations/message', message), 200);
    ollama.refuse = undefined;
    const failed = await spanOf('chat llama3.2', (span) => span.failed);
    assert.equal(failed.attributes['error.type'], 'model_unavailable');
  });

  it('has the metrics of /metrics under the same names', async () => {
    const answered = { mode: 'ollama', found: 'true' };
    const pointOf = (name: string, attributes: object) =>
      collector.metrics
        .get(name)
        ?.points.find((point) => JSON.stringify(point.attributes) === JSON.stringify(attributes));
    await collector.until(() => pointOf('assistant_answers_total', answered)?.value === 1);
    const text = await (await fetch(`${url}/metrics`)).text();
    const samples = [...text.matchAll(/^([a-z]\w*?)(?:_bucket|_sum|_count)?[{ ]/gm)];
    assert.ok(samples.length > 50);
    await collector.until(() => samples.every(([, name = '']) => collector.metrics.has(name)));
    assert.equal(collector.metrics.get('assistant_answers_total')?.type, 'sum');
    assert.equal(collector.metrics.get('assistant_http_requests_in_flight')?.type, 'gauge');
    const first = pointOf('assistant_first_word_seconds', { mode: 'ollama' })?.value;
    const { count, bucketCounts, explicitBounds } = first as Record<string, never[]>;
    assert.equal(Number(count), 1);
    assert.equal((bucketCounts ?? []).length, (explicitBounds ?? []).length + 1);
    assert.equal(
      (bucketCounts ?? []).reduce((sum, one) => sum + Number(one), 0),
      1,
    );
  });

  it('has the resource attributes and headers that the operator set', () => {
    assert.equal(collector.resource['service.name'], 'assistant');
    assert.equal(collector.resource['deployment.environment.name'], 'test');
    assert.ok(collector.headers.every((headers) => headers['x-tenant'] === 'acme'));
  });

  it('has no traces of health checks and metrics', async () => {
    await fetch(`${url}/health/live`);
    const after = collector.spans.length;
    await post('/api/knowledge/unknown', {});
    await collector.until(() => collector.spans.length > after);
    assert.deepEqual(
      collector.spans.filter(({ name }) => /health|metrics/.test(name)),
      [],
    );
  });

  it('has no texts, names, addresses or queries of people or of the knowledge', () => {
    const all = collector.bodies.join('\n').toLowerCase();
    const markers = [
      'zebra',
      'quagga',
      'okapi',
      'gnu',
      'tapir',
      'aardvark',
      'bongo',
      'kudu',
      'ada@',
    ];
    assert.deepEqual(
      markers.filter((marker) => all.includes(marker)),
      [],
    );
    assert.ok(!all.includes(token.toLowerCase()));
  });

  it('is sent completely at shutdown', async () => {
    const before = collector.spans.length;
    collector.spans.length = 0;
    assert.ok(before > 0);
    await post('/api/conversations/message', {
      message: 'Hello',
      context: { url: 'https://docs.acme.example/', title: '' },
    });
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
    assert.ok(find('question') !== undefined);
  });
});
