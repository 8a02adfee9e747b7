import autocannon from 'autocannon';

// A program of its own, started by requests.ts: a generator that has run before is slower than a fresh one.
const [options = '{}'] = process.argv.slice(2);
const { url, requests, connections, duration } = JSON.parse(options) as autocannon.Options;
const load = { url, requests: requests ?? [], connections: connections ?? 1 };
const result = await autocannon({ ...load, duration: duration ?? 1 });
console.log(
  JSON.stringify({
    sent: result.requests.total,
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }),
);
