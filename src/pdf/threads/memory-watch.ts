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

/**
 * Finds the thread that takes more than its share of memory. A heap limit does not include memory outside the heap
 * (inflated streams, typed arrays), and V8 ends the whole process when one large allocation exceeds it. So this class
 * measures the process from outside the threads and determines which thread has grown.
 */
export class MemoryWatch {
  #start = 0;

  /** @param limit The most bytes of one thread in total. */
  constructor(
    readonly limit: number,
    readonly measure: () => number = residentOutside,
  ) {}

  /** Stores the present memory as the baseline; call it while no thread works. */
  begin(threads: Iterable<ThreadMemory>): void {
    this.#start = this.measure();
    for (const thread of threads) thread.atStart = thread.reported;
  }

  /** Call it when a thread has ended and its memory is free. */
  ended(thread: ThreadMemory): void {
    this.#start -= thread.atStart;
  }

  /**
   * The busy thread that must be ended, if any. A thread whose own report exceeds the limit comes first. Else it is the
   * one without a report for longest, if the others' limits do not explain the growth of the process.
   */
  findOverdrawn<Thread extends ThreadMemory>(
    threads: Iterable<Thread>,
    now: number,
  ): Thread | undefined {
    const all = [...threads];
    const busy = all.filter((thread) => thread.busy);
    const confessed = busy.find((thread) => thread.reported > this.limit);
    if (confessed !== undefined) return confessed;
    const [first, ...rest] = busy;
    if (first === undefined) return undefined;
    const suspect = rest.reduce((a, b) => (b.lastSign < a.lastSign ? b : a), first);
    let unexplained = this.measure() - this.#start;
    for (const thread of all) {
      if (thread === suspect) continue;
      const known = !thread.busy || now - thread.lastSign < freshMs;
      unexplained -= Math.max(0, (known ? thread.reported : this.limit) - thread.atStart);
    }
    return unexplained > this.limit ? suspect : undefined;
  }
}
