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
  guest: QueueGuest;
  position: number;
  admit: () => void;
  refuse: (reason: unknown) => void;
}

/** Callers in the order of their turns, each with those who wait. A caller stands there only while it waits. */
type Lane = Map<unknown, Waiter[]>;

/** After so many places that people took while work in the background waited, it gets one: slow, but never stuck. */
const peopleInARow = 10;

export function createRequestQueue(limit: number): RequestQueue {
  const people: Lane = new Map();
  const background: Lane = new Map();
  const held = new Map<unknown, number>();
  let running = 0;
  let runningBackground = 0;
  let passedOver = 0;

  /** One place is kept for people where there are several: else long work would hold all of them. */
  const backgroundMayRun = () => limit === 1 || runningBackground < limit - 1;

  function take(key: unknown, isBackground: boolean): () => void {
    running += 1;
    if (isBackground) runningBackground += 1;
    held.set(key, (held.get(key) ?? 0) + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      running -= 1;
      if (isBackground) runningBackground -= 1;
      const left = (held.get(key) ?? 1) - 1;
      if (left === 0) held.delete(key);
      else held.set(key, left);
      admitNext();
    };
  }

  function nextLane(): Lane | undefined {
    const isBackgroundReady = background.size > 0 && backgroundMayRun();
    if (people.size === 0) return isBackgroundReady ? background : undefined;
    return isBackgroundReady && passedOver >= peopleInARow ? background : people;
  }

  function admitNext(): void {
    while (running < limit) {
      const lane = nextLane();
      if (lane === undefined) break;
      passedOver = lane === people && background.size > 0 ? passedOver + 1 : 0;
      const [key, waiters] = fewestHeld(lane, held);
      const waiter = waiters[0];
      if (waiter === undefined) break;
      remove(lane, key, waiter);
      // To the end of the turns.
      const rest = lane.get(key);
      if (rest !== undefined) {
        lane.delete(key);
        lane.set(key, rest);
      }
      waiter.admit();
    }
    tellPositions();
  }

  function tellPositions(): void {
    const ahead = tell(people, 0);
    tell(background, ahead);
  }

  return {
    load: () => ({ running, waiting: sizeOf(people) + sizeOf(background) }),
    enter: (signal, guest = {}) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const isBackground = guest.background === true;
        const lane = isBackground ? background : people;
        const key = guest.caller ?? (isBackground ? 'background' : Symbol('caller'));
        if (running < limit && (!isBackground || backgroundMayRun())) {
          resolve(take(key, isBackground));
          return;
        }
        const leave = () => {
          waiter.refuse(signal.reason);
          tellPositions();
        };
        const waiter: Waiter = {
          guest,
          position: 0,
          admit() {
            signal.removeEventListener('abort', leave);
            resolve(take(key, isBackground));
          },
          refuse(reason) {
            signal.removeEventListener('abort', leave);
            remove(lane, key, waiter);
            reject(reason as Error);
          },
        };
        const waiters = lane.get(key);
        if (waiters === undefined) lane.set(key, [waiter]);
        else waiters.push(waiter);
        signal.addEventListener('abort', leave, { once: true });
        tellPositions();
      }),
  };
}

function fewestHeld(lane: Lane, held: Map<unknown, number>): [unknown, Waiter[]] {
  let best: [unknown, Waiter[]] = [undefined, []];
  let fewest = Infinity;
  for (const [key, waiters] of lane) {
    const holds = held.get(key) ?? 0;
    if (holds >= fewest) continue;
    best = [key, waiters];
    fewest = holds;
  }
  return best;
}

function remove(lane: Lane, key: unknown, waiter: Waiter): void {
  const rest = (lane.get(key) ?? []).filter((one) => one !== waiter);
  if (rest.length === 0) lane.delete(key);
  else lane.set(key, rest);
}

function sizeOf(lane: Lane): number {
  return [...lane.values()].reduce((sum, waiters) => sum + waiters.length, 0);
}

/** Tells everyone in a lane the place at which taking turns puts them, after `ahead` others; answers how many they are. */
function tell(lane: Lane, ahead: number): number {
  const longest = Math.max(0, ...[...lane.values()].map((waiters) => waiters.length));
  let position = ahead;
  for (let turn = 0; turn < longest; turn += 1) {
    // A copy, since a listener that fails leaves.
    for (const waiters of [...lane.values()]) {
      const waiter = waiters[turn];
      if (waiter === undefined) continue;
      position += 1;
      if (waiter.position === position) continue;
      waiter.position = position;
      try {
        waiter.guest.onPosition?.(position);
      } catch (error) {
        waiter.refuse(error);
      }
    }
  }
  return position;
}
