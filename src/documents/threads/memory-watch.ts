/** The pool's knowledge of one thread's memory, in bytes. */
export interface ThreadMemory {
  busy: boolean;
  /** Heap and buffers, as the thread last reported. */
  reported: number;
  /** The report when the watch began. */
  atStart: number;
  /** The time of the last report or of the task's start; milliseconds of performance.now(). */
  lastSign: number;
}

/** A report is reliable for this long. */
const freshMs = 500;

/** The resident memory of the process without this thread's own: the PDF threads and shared memory. */
function residentOutside(): number {
  const { rss, heapTotal, external } = process.memoryUsage();
  return rss - heapTotal - external;
}

/** A thread that must be ended. */
export interface Overdrawn<Thread> {
  thread: Thread;
  /** True when the thread itself has reported more than the limit: then no other thread can be the cause. */
  isReported: boolean;
}

/**
 * Finds the thread that takes more than its share of memory. A heap limit does not include memory outside the heap
 * (inflated streams, typed arrays), and V8 ends the whole process when one large allocation exceeds it. So this class
 * measures the process from outside the threads and determines which thread has grown.
 */
export class MemoryWatch {
  #start = 0;
  /** Memory of ended threads that the process has not given back yet. No other thread may be blamed for it. */
  #forgiven = 0;

  /** @param limit The most bytes of one thread in total. */
  constructor(
    readonly limit: number,
    readonly measure: () => number = residentOutside,
  ) {}

  /** Stores the present memory as the baseline; call it while no thread works. */
  begin(threads: Iterable<ThreadMemory>): void {
    this.#start = this.measure();
    this.#forgiven = 0;
    for (const thread of threads) thread.atStart = thread.reported;
  }

  /** Call it when a thread is ended, with the threads that remain. Its memory may take a moment to become free. */
  ended(thread: ThreadMemory, others: Iterable<ThreadMemory>, now: number): void {
    this.#start -= thread.atStart;
    this.#forgiven = Math.max(0, this.#unexplained([...others], now));
  }

  /**
   * The busy thread that must be ended, if any. A thread whose own report exceeds the limit comes first. Else it is the
   * one without a report for longest, if the others' limits do not explain the growth of the process.
   */
  findOverdrawn<Thread extends ThreadMemory>(
    threads: Iterable<Thread>,
    now: number,
  ): Overdrawn<Thread> | undefined {
    const all = [...threads];
    const busy = all.filter((thread) => thread.busy);
    const reported = busy.find((thread) => thread.reported > this.limit);
    if (reported !== undefined) return { thread: reported, isReported: true };
    const [first, ...rest] = busy;
    if (first === undefined) return undefined;
    const suspect = rest.reduce((a, b) => (b.lastSign < a.lastSign ? b : a), first);
    const others = all.filter((thread) => thread !== suspect);
    const unexplained = this.#unexplained(others, now);
    // What the process gives back is forgiven no more.
    this.#forgiven = Math.max(0, Math.min(this.#forgiven, unexplained));
    if (unexplained - this.#forgiven <= this.limit) return undefined;
    return { thread: suspect, isReported: false };
  }

  /** The growth of the process beyond what these threads may have taken. */
  #unexplained(threads: readonly ThreadMemory[], now: number): number {
    let growth = this.measure() - this.#start;
    for (const thread of threads) {
      const known = !thread.busy || now - thread.lastSign < freshMs;
      growth -= Math.max(0, (known ? thread.reported : this.limit) - thread.atStart);
    }
    return growth;
  }
}
