/** What the pool knows of the memory of one thread, in bytes. */
export interface ThreadMemory {
  busy: boolean;
  /** Heap and buffers, as the thread said at its last sign of life. */
  reported: number;
  /** What it had reported when the watch began. */
  atStart: number;
  /** When it gave the last sign of life, or got its task; milliseconds of performance.now(). */
  lastSign: number;
}

/** A thread that was heard of within this time holds about what it reported. */
const freshMs = 500;

/** Resident memory of the process that is not this thread's own: that of the PDF threads, and what all share. */
function residentOutside(): number {
  const { rss, heapTotal, external } = process.memoryUsage();
  return rss - heapTotal - external;
}

/**
 * Finds the thread that takes more than its share of memory. A limit on a thread's heap does not see what is
 * outside of the heap (inflated streams, typed arrays), and V8 ends the whole process when one large allocation goes
 * beyond it. So the memory of the process is measured from outside the threads, and who has grown is worked out.
 */
export class MemoryWatch {
  #start = 0;

  /** @param limit Bytes that one thread may take, all in all. */
  constructor(
    readonly limit: number,
    readonly measure: () => number = residentOutside,
  ) {}

  /** Takes the memory of now, while no thread works, for what growth is measured from. */
  begin(threads: Iterable<ThreadMemory>): void {
    this.#start = this.measure();
    for (const thread of threads) thread.atStart = thread.reported;
  }

  /** A thread has ended, and gives back what it had. */
  ended(thread: ThreadMemory): void {
    this.#start -= thread.atStart;
  }

  /**
   * The busy thread that has to end, if any: one that says so itself, else the one that was silent for longest, if
   * what the others may have does not explain the growth of the process.
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
