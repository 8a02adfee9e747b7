import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { MemoryWatch, type ThreadMemory } from '../../../src/documents/threads/memory-watch.js';
import { ThreadPool } from '../../../src/documents/threads/thread-pool.js';
import { codeOf, type ErrorCode } from '../../../src/platform/errors.js';
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

  it('works in a program that Node was given as text', () => {
    const text = `
      import { ThreadPool } from '${new URL('../../../src/documents/threads/thread-pool.js', import.meta.url).href}';
      const pool = new ThreadPool({ workers: 1, workerMemoryMb: 64, program: new URL('${program.href}') });
      const task = { kind: 'open', file: 0, bytes: new SharedArrayBuffer(1), reader: 'own' };
      const hooks = { silenceMs: 10_000, signal: new AbortController().signal };
      console.log(await pool.run(task, hooks));
      await pool.close();`;
    const args = ['--input-type=module', '--eval', text];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(stdout, '{ pageCount: 1 }\n', stderr);
  });

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
      // While two tasks run, the pool can't tell which of them took memory that is outside of a heap.
      for (let count = 0; count < (way === 'fills buffers' ? 0 : 3); count++)
        assert.deepEqual(await run('answers'), { pageCount: 1 });
      await bad;
      assert.deepEqual(await run('answers'), { pageCount: 1 });
    });
  }

  it('names the page at which a thread is stuck, and tells of the pages that were read before', async () => {
    const bytes = new SharedArrayBuffer(1);
    let read = 0;
    const running = pool.run<'read'>(
      { kind: 'read', from: 3, to: 9, file: 0, bytes, reader: 'own', ocr: 'off' },
      { silenceMs: 300, signal: new AbortController().signal, onPage: () => void read++ },
    );
    await assert.rejects(running, { code: 'timeout', page: 5, message: /^Page 5 took longer/ });
    assert.equal(read, 1);
  });

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

describe('The thread pool for PDFs, when the process takes too much memory', () => {
  const run = (pool: ThreadPool, way: Way, alone?: boolean) =>
    pool.run<'open'>(
      { kind: 'open', file: ways.indexOf(way), bytes: new SharedArrayBuffer(1), reader: 'own' },
      { silenceMs: 60_000, signal: new AbortController().signal, ...(alone === true && { alone }) },
    );
  let pool: ThreadPool;
  beforeEach(() => {
    pool = new ThreadPool({ workers: 2, workerMemoryMb: 64, program });
  });
  afterEach(() => pool.close());

  it('blames no file for sure while two are read, and is sure of one that is read alone', async () => {
    const slow = run(pool, 'waits for a long time');
    const ends = await Promise.allSettled([run(pool, 'fills buffers'), slow]);
    const codes = ends.map((end) => (end.status === 'rejected' ? codeOf(end.reason) : 'done'));
    // The one that was silent longest is suspected first. It was read beside the other, so it is tried again.
    assert.ok(codes.includes('internal'), codes.join());
    await assert.rejects(run(pool, 'fills buffers'), { code: 'out_of_memory' });
  });

  it('reads small files while every thread is busy with a page that takes long', async () => {
    const ended: string[] = [];
    const slow = [1, 2].map(() =>
      run(pool, 'waits for a long time').catch(() => ended.push('slow')),
    );
    for (let count = 0; count < 3; count++) await run(pool, 'answers');
    assert.deepEqual(ended, []);
    await pool.close();
    await Promise.all(slow);
  });

  it('reads a file alone that is to be read alone', async () => {
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const first = run(pool, 'waits').then(note('first'));
    const alone = run(pool, 'waits', true).then(note('alone'));
    const last = run(pool, 'answers').then(note('last'));
    await Promise.all([first, alone, last]);
    assert.deepEqual(order, ['first', 'alone', 'last']);
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
    const found = watchAt(0, threads).findOverdrawn(threads, 5000);
    assert.deepEqual(found, { thread: greedy, isReported: true });
  });

  it('ends the busy thread that was silent longest if the others do not explain the growth', () => {
    const silent = thread({ lastSign: 100 });
    const threads = [thread(), silent, thread({ busy: false, lastSign: 0 })];
    assert.equal(watchAt(150, threads).findOverdrawn(threads, 5000)?.thread, silent);
    assert.equal(watchAt(130, threads).findOverdrawn(threads, 5000), undefined);
  });

  it('assumes that another silent thread uses its full limit', () => {
    const silent = thread({ lastSign: 100 });
    const threads = [thread({ lastSign: 200 }), silent];
    assert.equal(watchAt(190, threads).findOverdrawn(threads, 5000), undefined);
    assert.equal(watchAt(210, threads).findOverdrawn(threads, 5000)?.thread, silent);
  });

  it('counts growth from its start, and subtracts the memory of an ended thread', () => {
    let resident = 1000;
    const watch = new MemoryWatch(limit, () => resident);
    const gone = thread({ reported: 300 });
    const rest = thread();
    watch.begin([gone, rest]);
    assert.equal(gone.atStart, 300);
    resident = 1000 - 300;
    watch.ended(gone, [rest], 5000);
    assert.equal(watch.findOverdrawn([rest], 5000), undefined);
    resident += 110;
    assert.equal(watch.findOverdrawn([rest], 5000)?.thread, rest);
  });

  it('blames no thread for memory that an ended thread has not given back yet', () => {
    let resident = 1000;
    const watch = new MemoryWatch(limit, () => resident);
    const gone = thread({ atStart: 0, reported: 0 });
    const rest = thread();
    watch.begin([gone, rest]);
    resident = 1500;
    watch.ended(gone, [rest], 5000);
    assert.equal(watch.findOverdrawn([rest], 5000), undefined);
    resident = 1000;
    assert.equal(watch.findOverdrawn([rest], 5000), undefined);
    resident = 1110;
    assert.equal(watch.findOverdrawn([rest], 5000)?.thread, rest);
  });
});
