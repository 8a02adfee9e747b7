import assert from 'node:assert/strict';
import { MemoryWatch, type ThreadMemory } from '../../../src/pdf/threads/memory-watch.js';
import { ThreadPool } from '../../../src/pdf/threads/thread-pool.js';
import type { ErrorCode } from '../../../src/platform/errors.js';
import { ways, type Way } from './stuck-thread.js';

const program = new URL('./stuck-thread.js', import.meta.url);
const megabyte = 1024 * 1024;

describe('The thread pool for PDFs', () => {
  let pool: ThreadPool;
  beforeEach(() => {
    pool = new ThreadPool({ workers: 2, workerMemoryMb: 64, program });
  });
  afterEach(() => pool.close());

  const run = (way: Way, silenceMs = 10_000) =>
    pool.run<'open'>(
      { kind: 'open', file: ways.indexOf(way), bytes: new SharedArrayBuffer(1), reader: 'own' },
      { silenceMs, signal: new AbortController().signal },
    );

  const ends: [Way, ErrorCode][] = [
    ['loops', 'timeout'],
    ['backtracks', 'timeout'],
    ['spins in WebAssembly', 'timeout'],
    ['fills buffers', 'out_of_memory'],
    ['fills its heap', 'out_of_memory'],
    ['grows one array', 'out_of_memory'],
    ['ends itself', 'internal'],
    ['throws', 'internal'],
  ];
  for (const [way, code] of ends) {
    it(`ends a thread that ${way} with ${code}, and no other thread`, async () => {
      // A thread that is not detected at once would end with timeout after ten seconds.
      const bad = assert.rejects(run(way, code === 'timeout' ? 300 : 10_000), { code });
      for (let count = 0; count < 3; count++)
        assert.deepEqual(await run('answers'), { pageCount: 1 });
      await bad;
      assert.deepEqual(await run('answers'), { pageCount: 1 });
    });
  }

  it('keeps the memory of the process near the limit', async () => {
    await run('answers');
    const before = process.memoryUsage().rss;
    let peak = before;
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    try {
      await assert.rejects(run('fills buffers'), { code: 'out_of_memory' });
    } finally {
      clearInterval(sampling);
    }
    assert.ok(
      peak - before < 900 * megabyte,
      `grew by ${Math.round((peak - before) / megabyte)} MB`,
    );
  });
});

describe('The memory watch', () => {
  const limit = 100;
  const thread = (overrides: Partial<ThreadMemory> = {}): ThreadMemory => ({
    busy: true,
    reported: 20,
    atStart: 20,
    lastSign: 5000,
    ...overrides,
  });

  function watchAt(growth: number, threads: ThreadMemory[]): MemoryWatch {
    let resident = 1000;
    const watch = new MemoryWatch(limit, () => resident);
    watch.begin([]);
    resident += growth;
    for (const each of threads) each.atStart = 0;
    return watch;
  }

  it('ends no thread within the limit', () => {
    const threads = [thread(), thread()];
    assert.equal(watchAt(110, threads).findOverdrawn(threads, 5000), undefined);
    assert.equal(watchAt(5000, []).findOverdrawn<ThreadMemory>([], 5000), undefined);
  });

  it('ends a thread that reports more memory than the limit', () => {
    const greedy = thread({ reported: 101 });
    const threads = [thread({ lastSign: 0 }), greedy];
    assert.equal(watchAt(0, threads).findOverdrawn(threads, 5000), greedy);
  });

  it('ends the busy thread that was silent longest if the others do not explain the growth', () => {
    const silent = thread({ lastSign: 100 });
    const threads = [thread(), silent, thread({ busy: false, lastSign: 0 })];
    assert.equal(watchAt(150, threads).findOverdrawn(threads, 5000), silent);
    assert.equal(watchAt(130, threads).findOverdrawn(threads, 5000), undefined);
  });

  it('assumes that another silent thread uses its full limit', () => {
    const silent = thread({ lastSign: 100 });
    const threads = [thread({ lastSign: 200 }), silent];
    assert.equal(watchAt(190, threads).findOverdrawn(threads, 5000), undefined);
    assert.equal(watchAt(210, threads).findOverdrawn(threads, 5000), silent);
  });

  it('counts growth from its start, and subtracts the memory of an ended thread', () => {
    let resident = 1000;
    const watch = new MemoryWatch(limit, () => resident);
    const gone = thread({ reported: 300 });
    const rest = thread();
    watch.begin([gone, rest]);
    assert.equal(gone.atStart, 300);
    resident = 1000 - 300 + 110;
    assert.equal(watch.findOverdrawn([rest], 5000), undefined);
    watch.ended(gone);
    assert.equal(watch.findOverdrawn([rest], 5000), rest);
  });
});
