import type { IncomingHttpHeaders } from 'node:http';
import { codeOf } from './errors.js';

/** Facts of a span: names and numbers of the product. Never a text, a name or an address of a person. */
export type Facts = Record<string, string | number | boolean | undefined>;

/** A part of the work that a trace shows: from its start to `end()`. */
export interface Span {
  /** The trace that it belongs to, for the log; undefined while nothing is traced. */
  readonly traceId: string | undefined;
  rename(name: string): void;
  set(facts: Facts): void;
  /** Marks this moment. */
  event(name: string): void;
  /** Marks the work as failed. `code` is a code of the product: messages may quote people. */
  fail(code: string): void;
  end(): void;
  /** Runs `work`; spans that start meanwhile, also later in its promises, are parts of this one. */
  run<T>(work: () => T): T;
}

export interface SpanOptions {
  /** `server` answers a request, `client` waits for another server. */
  kind?: 'server' | 'client';
  facts?: Facts;
  /** The headers of a request, whose `traceparent` (W3C Trace Context) the trace continues. */
  from?: IncomingHttpHeaders;
}

/** Shows what the process does as traces. It is off unless `startTelemetry` finds a collector. */
export interface Tracing {
  /** Starts a span as a part of the running one. Always end it. */
  start(name: string, options?: SpanOptions): Span;
  /** The headers by which another server continues the trace. */
  headers(): Record<string, string>;
}

const noSpan: Span = {
  traceId: undefined,
  rename: () => undefined,
  set: () => undefined,
  event: () => undefined,
  fail: () => undefined,
  end: () => undefined,
  run: (work) => work(),
};

export const noTracing: Tracing = { start: () => noSpan, headers: () => ({}) };

/** Runs `work` in a span of its own, which fails with the code of the error. */
export async function traced<T>(
  { tracing }: { tracing: Tracing },
  name: string,
  work: (span: Span) => Promise<T>,
  options?: SpanOptions,
): Promise<T> {
  const span = tracing.start(name, options);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(codeOf(error));
    throw error;
  } finally {
    span.end();
  }
}
