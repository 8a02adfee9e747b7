import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span of OTLP in JSON, with its attributes as an object. */
export interface SentSpan {
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, unknown>;
  events: string[];
  failed: boolean;
}

export interface SentMetric {
  name: string;
  type: 'sum' | 'gauge' | 'histogram';
  points: { attributes: Record<string, unknown>; value: unknown }[];
}

export interface CollectorStandIn {
  url: string;
  /** The bodies of all requests, in order. */
  bodies: string[];
  headers: IncomingHttpHeaders[];
  spans: SentSpan[];
  /** The latest values. */
  metrics: Map<string, SentMetric>;
  /** Attributes of the sending process. */
  resource: Record<string, unknown>;
  /** The status of the next answers. With 0, requests are accepted and never answered. */
  status: number;
  /** Resolves once `condition` holds. It is checked after each request. */
  until(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

function objectOf(attributes: Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

type SentAsJson = Omit<SentSpan, 'attributes' | 'events' | 'failed'> & {
  attributes: Attribute[];
  events: { name: string }[];
  status: { code?: number };
};

interface DataPoint {
  attributes: Attribute[];
  asDouble?: number;
}

type Data = Partial<Record<SentMetric['type'], { dataPoints: DataPoint[] }>>;

interface Sent {
  resource: { attributes: Attribute[] };
  scopeSpans?: { spans: SentAsJson[] }[];
  scopeMetrics?: { metrics: ({ name: string } & Data)[] }[];
}

/** An OpenTelemetry collector that accepts OTLP in JSON, over real HTTP on a free port. */
export async function startCollectorStandIn(): Promise<CollectorStandIn> {
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      standIn.bodies.push(body);
      standIn.headers.push(request.headers);
      if (request.headers['content-type'] === 'application/json') note(body);
      [...watchers].forEach((look) => look());
      if (standIn.status === 0) return;
      response.writeHead(standIn.status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const standIn: CollectorStandIn = {
    url: '',
    bodies: [],
    headers: [],
    spans: [],
    metrics: new Map(),
    resource: {},
    status: 200,
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  function note(body: string): void {
    const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(body) as Record<string, Sent[]>;
    for (const { resource, scopeSpans = [], scopeMetrics = [] } of [
      ...resourceSpans,
      ...resourceMetrics,
    ]) {
      standIn.resource = objectOf(resource.attributes);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { attributes, events, status, ...rest } = span;
        standIn.spans.push({
          ...rest,
          attributes: objectOf(attributes),
          events: events.map(({ name }) => name),
          failed: status.code === 2,
        });
      }
      for (const { name, ...data } of scopeMetrics.flatMap(({ metrics }) => metrics)) {
        const type = (['sum', 'gauge', 'histogram'] as const).find((one) => one in data) ?? 'sum';
        const points = (data[type]?.dataPoints ?? []).map((point) => ({
          attributes: objectOf(point.attributes),
          value: type === 'histogram' ? point : point.asDouble,
        }));
        standIn.metrics.set(name, { name, type, points });
      }
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return standIn;
}
