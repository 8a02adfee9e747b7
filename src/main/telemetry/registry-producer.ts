import { ValueType, type Attributes } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Metrics } from '../metrics.js';

type Family = Awaited<ReturnType<Metrics['read']>>[number];
type Sample = Family['values'][number] & { metricName?: string };

/** Gives the metrics of /metrics to the SDK, so that each is declared once and has the same name everywhere. */
export function createRegistryProducer(
  metrics: Pick<Metrics, 'read'>,
  version: string,
): MetricProducer {
  const startTime = millisToHrTime(performance.timeOrigin);
  return {
    async collect() {
      const times = { startTime, endTime: millisToHrTime(Date.now()) };
      const families = (await metrics.read()).flatMap((family) => convert(family, times));
      const scope = { name: 'assistant', version };
      const scopeMetrics = [{ scope, metrics: families }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
    },
  };
}

type Times = Pick<MetricData['dataPoints'][number], 'startTime' | 'endTime'>;

/** prom-client gives the type as a name, whatever it declares. Summaries are not used. */
function convert(family: Family, times: Times): MetricData[] {
  const { name, help: description } = family;
  const shared = {
    descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const point = <T>(attributes: Attributes, value: T) => ({ ...times, attributes, value });
  const type = family.type as unknown as string;
  if (type === 'histogram') {
    const dataPoints = histograms(family.values).map(({ labels, value }) => point(labels, value));
    return [{ ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
  }
  // NaN: it was not measured yet.
  const measured = family.values.filter(({ value }) => Number.isFinite(value));
  const dataPoints = measured.map(({ labels, value }) => point(labels as Attributes, value));
  if (dataPoints.length === 0) return [];
  if (type === 'gauge') return [{ ...shared, dataPointType: DataPointType.GAUGE, dataPoints }];
  if (type !== 'counter') return [];
  return [{ ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }];
}

interface HistogramPoint {
  labels: Attributes;
  value: { buckets: { boundaries: number[]; counts: number[] }; sum: number; count: number };
}

/** Prometheus buckets are cumulative; OpenTelemetry buckets are not. */
function histograms(samples: readonly Sample[]): HistogramPoint[] {
  const points = new Map<string, HistogramPoint & { below: number }>();
  for (const { labels: all, value, metricName = '' } of samples) {
    const { le, ...labels } = all as Record<string, string | number>;
    const key = JSON.stringify(labels);
    const known = points.get(key);
    const point = known ?? {
      labels,
      below: 0,
      value: { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 },
    };
    if (known === undefined) points.set(key, point);
    if (metricName.endsWith('_sum')) point.value.sum = value;
    else if (metricName.endsWith('_count')) point.value.count = value;
    else {
      const { boundaries, counts } = point.value.buckets;
      if (Number.isFinite(Number(le))) boundaries.push(Number(le));
      counts.push(value - point.below);
      point.below = value;
    }
  }
  return [...points.values()].map(({ labels, value }) => ({ labels, value }));
}
