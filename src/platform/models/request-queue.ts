/** A request for a place in the queue. */
export interface QueueGuest {
  /** Callers share the places fairly, however much each one asks. Without a caller, the request is one of its own. */
  caller?: string | undefined;
  /** No person waits for this request, so people's requests go first. */
  background?: boolean | undefined;
  /** Receives the position in the queue, 1 being next, at first and whenever it changes. */
  onPosition?: ((position: number) => void) | undefined;
}

/**
 * Admits at most `limit` holders at a time. The next place goes to the waiting caller who holds the fewest places;
 * equal callers take turns. Each caller's own requests keep their order.
 */
export interface RequestQueue {
  /**
   * Waits for a place and returns the function that releases it (a second call does nothing). Rejects with the signal's
   * reason when the signal aborts first; the request then leaves the queue.
   */
  enter(signal: AbortSignal, guest?: QueueGuest): Promise<() => void>;
  load(): QueueLoad;
}

/** The number of requests that hold a place, and of those that wait. */
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
  /** When the caller last got a place, as a count of places given. */
  lastTurn: number;
  waiters: Waiter[];
}

/** The callers who hold a place or wait for one. */
type Lane = Map<unknown, Caller>;

/** After this many places for people, waiting background work gets one: it is slow but never blocked. */
const peopleInARow = 10;

export function createRequestQueue(limit: number): RequestQueue {
  const people: Lane = new Map();
  const background: Lane = new Map();
  let turns = 0;
  let passedOver = 0;
  const running = () => count(people, ({ held }) => held) + count(background, ({ held }) => held);

  /** If there are several places, one is reserved for people. Otherwise long background work could hold all of them. */
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

/** Forgets a caller who neither holds a place nor waits. */
function tidy(lane: Lane, key: unknown, caller: Caller): void {
  if (caller.held === 0 && caller.waiters.length === 0) lane.delete(key);
}

/** The waiting callers, the next one first. */
function inOrder(lane: Lane): Caller[] {
  return [...lane.values()]
    .filter(({ waiters }) => waiters.length > 0)
    .sort((a, b) => a.held - b.held || a.lastTurn - b.lastTurn);
}

/** Tells all callers their position, after `ahead` others. Returns the last position. */
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
