/** Who wants a place, and what they want to know meanwhile. */
export interface QueueGuest {
  /** Shares the places fairly with other callers, however much each of them asks; without it, one of its own. */
  caller?: string | undefined;
  /** Nobody waits for it: people go first. */
  background?: boolean | undefined;
  /** Told where one stands, 1 being next, when one has to wait and whenever that changes. */
  onPosition?: ((position: number) => void) | undefined;
}

/**
 * At most `limit` holders at a time. Of those who wait, the caller who holds the fewest places is next, and among
 * equals they take turns; each caller's own requests keep their order.
 */
export interface RequestQueue {
  /**
   * Waits for a place and gives the function that gives it back (harmless when called twice).
   * Rejects with the signal's reason when it aborts first, and then holds no place in the queue.
   */
  enter(signal: AbortSignal, guest?: QueueGuest): Promise<() => void>;
  load(): QueueLoad;
}

/** How many hold a place, and how many wait for one. */
export interface QueueLoad {
  running: number;
  waiting: number;
}

interface Waiter {
  position: number;
  onPosition: ((position: number) => void) | undefined;
  admit: () => void;
  refuse: (reason: Error) => void;
}

interface Caller {
  held: number;
  /** When it got a place last: a count that grows with each place given. */
  lastTurn: number;
  waiters: Waiter[];
}

/** Those who hold a place or wait for one. */
type Lane = Map<unknown, Caller>;

/** After so many places that people took while work in the background waited, it gets one: slow, but never stuck. */
const peopleInARow = 10;

export function createRequestQueue(limit: number): RequestQueue {
  const people: Lane = new Map();
  const background: Lane = new Map();
  let turns = 0;
  let passedOver = 0;
  const running = () => count(people, ({ held }) => held) + count(background, ({ held }) => held);

  /** One place is kept for people where there are several: else long work would hold all of them. */
  const backgroundMayRun = () => limit === 1 || count(background, ({ held }) => held) < limit - 1;

  function take(lane: Lane, key: unknown, caller: Caller): () => void {
    caller.held += 1;
    caller.lastTurn = turns += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      caller.held -= 1;
      tidy(lane, key, caller);
      admitNext();
    };
  }

  function admitNext(): void {
    while (running() < limit) {
      const person = inOrder(people)[0];
      const work = backgroundMayRun() ? inOrder(background)[0] : undefined;
      const isPassedOver = person !== undefined && work !== undefined && passedOver < peopleInARow;
      passedOver = isPassedOver ? passedOver + 1 : 0;
      const next = isPassedOver ? person : (work ?? person);
      const waiter = next?.waiters.shift();
      if (waiter === undefined) break;
      waiter.admit();
    }
    tellPositions();
  }

  function tellPositions(): void {
    const ahead = tell(inOrder(people), 0);
    tell(inOrder(background), ahead);
  }

  return {
    load: () => ({
      running: running(),
      waiting:
        count(people, ({ waiters }) => waiters.length) +
        count(background, ({ waiters }) => waiters.length),
    }),
    enter: (signal, guest = {}) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const isBackground = guest.background === true;
        const lane = isBackground ? background : people;
        const key = guest.caller ?? (isBackground ? 'background' : Symbol('caller'));
        const caller = lane.get(key) ?? { held: 0, lastTurn: 0, waiters: [] };
        lane.set(key, caller);
        if (running() < limit && (!isBackground || backgroundMayRun())) {
          resolve(take(lane, key, caller));
          return;
        }
        const leave = () => {
          waiter.refuse(signal.reason as Error);
          tellPositions();
        };
        const waiter: Waiter = {
          position: 0,
          onPosition: guest.onPosition,
          admit() {
            signal.removeEventListener('abort', leave);
            resolve(take(lane, key, caller));
          },
          refuse(reason) {
            signal.removeEventListener('abort', leave);
            caller.waiters = caller.waiters.filter((one) => one !== waiter);
            tidy(lane, key, caller);
            reject(reason);
          },
        };
        caller.waiters.push(waiter);
        signal.addEventListener('abort', leave, { once: true });
        tellPositions();
      }),
  };
}

function count(lane: Lane, of: (caller: Caller) => number): number {
  let sum = 0;
  for (const caller of lane.values()) sum += of(caller);
  return sum;
}

/** Nothing is kept of who neither holds a place nor waits. */
function tidy(lane: Lane, key: unknown, caller: Caller): void {
  if (caller.held === 0 && caller.waiters.length === 0) lane.delete(key);
}

/** The callers who wait, the next one first. */
function inOrder(lane: Lane): Caller[] {
  return [...lane.values()]
    .filter(({ waiters }) => waiters.length > 0)
    .sort((a, b) => a.held - b.held || a.lastTurn - b.lastTurn);
}

/** Tells everyone the place at which taking turns puts them, after `ahead` others; answers the last place. */
function tell(callers: Caller[], ahead: number): number {
  const rows = callers.map(({ waiters }) => [...waiters]);
  const longest = Math.max(0, ...rows.map((row) => row.length));
  let position = ahead;
  for (let turn = 0; turn < longest; turn += 1) {
    for (const waiter of rows.flatMap((row) => row[turn] ?? [])) {
      position += 1;
      if (waiter.position === position) continue;
      waiter.position = position;
      try {
        waiter.onPosition?.(position);
      } catch (error) {
        waiter.refuse(error as Error);
      }
    }
  }
  return position;
}
