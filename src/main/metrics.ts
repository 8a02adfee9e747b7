import {
  Counter,
  Gauge,
  Histogram,
  Registry,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';
import { countBatchesByStatus } from '../ingestion/batches/batch-lists.repository.js';
import { countDeliveriesByStatus } from '../notifications/deliveries.repository.js';
import type { App } from '../platform/app.js';
import { messageOf } from '../platform/errors.js';
import { nameOfMethod, type RequestOutcome } from '../platform/http/request-facts.js';
import { findSourceStates } from '../sources/sources.repository.js';
import { describeVectors } from '../search/vectors/describe-vectors.js';
import { findLiveGeneration } from '../search/vectors/generations.repository.js';

/** The metrics of one server, in a registry of its own. Label values come only from the product's own names. */
export interface Metrics {
  contentType: string;
  requestStarted(): void;
  requestEnded(outcome: RequestOutcome): void;
  /** Counts a refused request by the policy of the limits. */
  limited(policy: string): void;
  /** All metrics in the text format of Prometheus. */
  render(): Promise<string>;
  /** The same metrics as values, for a collector of OpenTelemetry. */
  read(): Promise<MetricObjectWithValues<MetricValue<string>>[]>;
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export function createMetrics(app: App): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const duration = new Histogram({
    name: 'assistant_http_request_duration_seconds',
    help: 'Time until an answer was out, by operation, method and status.',
    labelNames: ['operation', 'method', 'status'],
    buckets: seconds,
    registers,
  });
  const inFlight = new Gauge({
    name: 'assistant_http_requests_in_flight',
    help: 'Requests that are being answered.',
    registers,
  });
  const limited = new Counter({
    name: 'assistant_rate_limited_total',
    help: 'Requests that were refused, by the policy that they exceeded.',
    labelNames: ['policy'],
    registers,
  });
  const firstWords = new Histogram({
    name: 'assistant_first_word_seconds',
    help: 'Time from a question until the first word of its streamed answer was out, by who made the answer.',
    labelNames: ['mode'],
    buckets: seconds,
    registers,
  });
  app.counters.firstWords.onObserved((labels, value) => firstWords.observe(labels, value));
  addStateOfWork(app, registry);
  let begun = false;
  const begin = () => {
    // These observe the process permanently, so they start only when metrics are read.
    if (!begun) collectDefaultMetrics({ register: registry });
    begun = true;
  };

  return {
    contentType: registry.contentType,
    requestStarted: () => inFlight.inc(),
    requestEnded({ route, method, status, ms }) {
      inFlight.dec();
      const labels = { operation: route, method: nameOfMethod(method), status };
      duration.observe(labels, ms / 1000);
    },
    limited: (policy) => limited.inc({ policy }),
    async render() {
      begin();
      // Drops metrics without a value: NaN would spoil every sum.
      return (await registry.metrics()).replaceAll(/^.* NaN\n/gm, '');
    },
    read() {
      begin();
      return registry.getMetricsAsJSON();
    },
  };
}

/** Metrics that are computed when read: answers, batches, deliveries, the model's queue. */
function addStateOfWork(app: App, registry: Registry): void {
  const registers = [registry];
  new Counter({
    name: 'assistant_answers_total',
    help: 'Answers given by this process, by who made them and whether the knowledge held them.',
    labelNames: ['mode', 'found'],
    registers,
    collect() {
      this.reset();
      for (const { labels, count } of app.counters.answers.counts()) this.inc(labels, count);
    },
  });
  new Counter({
    name: 'assistant_unsupported_sentences_total',
    help: 'Sentences of answers given by this process that no cited passage supports, by language.',
    labelNames: ['language'],
    registers,
    collect() {
      this.reset();
      const counts = app.counters.unsupportedSentences.counts();
      for (const { labels, count } of counts) this.inc(labels, count);
    },
  });
  new Counter({
    name: 'assistant_model_events_total',
    help: 'Calls of the model by this process: answered, failed (and how), tried again, prompts that Ollama cut.',
    labelNames: ['event'],
    registers,
    collect() {
      this.reset();
      for (const { labels, count } of app.counters.models.counts()) this.inc(labels, count);
    },
  });
  addCounted(app, registers, {
    name: 'assistant_ingestion_batches',
    help: 'Batches in the database, by status.',
    count: countBatchesByStatus,
  });
  addCounted(app, registers, {
    name: 'assistant_outbox_deliveries',
    help: 'Deliveries of notifications in the database, by status.',
    count: countDeliveriesByStatus,
  });
  addSourceMetrics(app, registers);
  addVectorMetrics(app, registers);
  new Gauge({
    name: 'assistant_model_requests',
    help: 'Requests to the model: running, and waiting for their turn.',
    labelNames: ['state'],
    registers,
    collect() {
      const { running, waiting } = app.models.load();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
}

interface Counted {
  name: string;
  help: string;
  count: (app: App) => Promise<{ status: string; count: number }[]>;
}

function addCounted(app: App, registers: Registry[], { name, help, count }: Counted): void {
  new Gauge({
    name,
    help,
    labelNames: ['status'],
    registers,
    async collect() {
      this.reset();
      await unlessFailed(app, name, async () => {
        for (const item of await count(app)) this.set({ status: item.status }, item.count);
      });
    },
  });
}

/** The states of sources, and when each was read last, by its number. */
function addSourceMetrics(app: App, registers: Registry[]): void {
  addCounted(app, registers, {
    name: 'assistant_sources',
    help: 'Folders and websites that are read again and again: running, failing, overdue or ok.',
    async count(app) {
      const states = await findSourceStates(app);
      return (['running', 'failing', 'overdue', 'ok'] as const).map((status) => {
        return { status, count: states.filter(({ state }) => state === status).length };
      });
    },
  });
  const readName = 'assistant_source_read_timestamp_seconds';
  new Gauge({
    name: readName,
    help: 'When the last complete run of a source ended, in seconds since 1970, by the number of the source.',
    labelNames: ['source'],
    registers,
    async collect() {
      this.reset();
      await unlessFailed(app, readName, async () => {
        for (const { id, readAt } of await findSourceStates(app)) {
          if (readAt !== null) this.set({ source: id }, Date.parse(readAt) / 1000);
        }
      });
    },
  });
}

/** The number of passages with and without vectors, and the generation that searches use. */
function addVectorMetrics(app: App, registers: Registry[]): void {
  const passagesName = 'assistant_vector_passages';
  new Gauge({
    name: passagesName,
    help: 'Passages that have a vector, lack one (the lag), and were refused by the model, for each generation of vectors.',
    labelNames: ['generation', 'passages'],
    registers,
    async collect() {
      this.reset();
      await unlessFailed(app, passagesName, async () => {
        const { generations } = await describeVectors(app);
        for (const { state: generation, embedded, passages, refused } of generations) {
          // There may be several discarded generations, which would share one label.
          if (generation === 'discarded') continue;
          this.set({ generation, passages: 'embedded' }, embedded - refused);
          this.set({ generation, passages: 'missing' }, passages - embedded);
          this.set({ generation, passages: 'refused' }, refused);
        }
      });
    },
  });
  const generationName = 'assistant_vector_generation';
  new Gauge({
    name: generationName,
    help: 'The number of the generation of vectors that searches use; 0: only words are used.',
    registers,
    async collect() {
      this.reset();
      await unlessFailed(app, generationName, async () => {
        this.set((await findLiveGeneration(app))?.id ?? 0);
      });
    },
  });
}

/** Omits a metric when its database query fails: the other metrics are most useful then. */
async function unlessFailed(app: App, metric: string, collect: () => Promise<void>): Promise<void> {
  try {
    await collect();
  } catch (error) {
    app.log.error({ reason: messageOf(error), metric }, 'could not be counted');
  }
}
