import { AsyncLocalStorage } from 'node:async_hooks';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as SdkSpan,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Span, SpanOptions, Tracing } from '../../platform/tracing.js';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

/** Tracing by the SDK's tracer. The running span follows the promises of its work. */
export function createTracing(tracer: Tracer): Tracing {
  const running = new AsyncLocalStorage<Context>();
  const propagator = new W3CTraceContextPropagator();
  const current = () => running.getStore() ?? ROOT_CONTEXT;

  function parentOf({ from }: SpanOptions): Context {
    if (from === undefined) return current();
    // Without `tracestate`: it is free text of the caller.
    const { traceparent } = from;
    return propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
  }

  return {
    start(name, options = {}) {
      const { kind, facts = {} } = options;
      const parent = parentOf(options);
      const how = {
        kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind],
        attributes: facts as Record<string, string>,
      };
      const span = tracer.startSpan(name, how, parent);
      return present(span, (work) => running.run(trace.setSpan(parent, span), work));
    },
    headers() {
      const headers: Record<string, string> = {};
      propagator.inject(current(), headers, defaultTextMapSetter);
      return headers;
    },
  };
}

function present(span: SdkSpan, run: Span['run']): Span {
  return {
    traceId: span.spanContext().traceId,
    rename: (name) => void span.updateName(name),
    set: (facts) => void span.setAttributes(facts),
    event: (name) => void span.addEvent(name),
    fail(code) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', code);
    },
    end: () => span.end(),
    run,
  };
}
