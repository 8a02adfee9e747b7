import fc from 'fast-check';
import { operations } from '../../src/main/create-server.js';
import type { Arena } from '../properties/arena.js';
import type { Caller } from '../properties/callers.js';
import { draftsOf, nameOf } from '../properties/draft.js';
import { probe } from '../properties/probe.js';
import { ReplyShapes } from '../properties/reply-shapes.js';
import { describeRequest, Sender, type WireRequest } from '../properties/send.js';
import type { AttackSize } from './attack.js';
import type { Tally } from './tally.js';

/** Doors by the beginning of their paths. The first match counts. */
const doors: [string, string][] = [
  ['/widget', 'widget over HTTP'],
  ['/api/knowledge/page', 'page query'],
  ['/api/knowledge/search', 'search'],
  ['/api/knowledge/requests', 'requests'],
  ['/api/knowledge', 'knowledge'],
  ['/api/conversations', 'conversations'],
  ['/api/notifications', 'notifications'],
  ['/api/account-links', 'account links'],
  ['/api/admin', 'administration'],
  ['', 'the rest of the API'],
];

/** Sends every operation of the API as every caller, with ids of both organizations. */
export async function attackOperations(
  arena: Arena,
  tally: Tally,
  { draws, seed }: AttackSize,
): Promise<void> {
  const shapes = new ReplyShapes();
  for (const operation of operations) {
    const door = doors.find(([beginning]) => operation.path.startsWith(beginning))?.[1] ?? '';
    for (const [index, caller] of arena.callers.entries()) {
      const arbitrary = draftsOf(operation, arena.callers, caller);
      for (const draft of fc.sample(arbitrary, { seed: seed + index, numRuns: draws })) {
        const name = nameOf(operation);
        await tally.check(door, async () => {
          const status = await probe(operation, arena, draft, shapes);
          if (status >= 500) throw new Error(`${name} answered ${status}`);
          return status;
        });
      }
    }
  }
}

/** Searches as every caller, at every door that searches, for words that each occur in one row. */
export async function attackWords(
  arena: Arena,
  tally: Tally,
  { words, questions }: AttackSize,
): Promise<void> {
  const { world, callers, url } = arena;
  const sides = world.sides.map(({ things }) => things);
  const pages = sides.flatMap((things) => things.url.map(String));
  const canaries = sides.flatMap((things) => spread(things.canary.map(String), words / 2));
  const streams = new Sender(url, 'whole stream');
  try {
    for (const caller of callers) {
      for (const page of pages) {
        const path = `/api/knowledge/page?url=${encodeURIComponent(page)}`;
        await look('page query', caller, { method: 'GET', path, headers: caller.headers }, true);
      }
      for (const [index, word] of canaries.entries()) {
        for (const [door, path] of [
          ['search', `/api/knowledge/search?q=oiling+the+pump+${word}`],
          ['knowledge', `/api/knowledge?q=${word}`],
          ['knowledge', `/api/knowledge?q=oiling&page=${1 + (index % 3)}`],
        ] as const) {
          await look(door, caller, { method: 'GET', path, headers: caller.headers }, false);
        }
      }
      const own = sides[caller.side]?.url.map(String)[0] ?? '';
      for (const [index, word] of spread(canaries, questions).entries()) {
        const body = { message: `What about oiling the pump with ${word}?` };
        const page = pages[index % pages.length] ?? own;
        const asked = (place: string, more: object, accept: string): WireRequest => ({
          ...{ method: 'POST', path: place },
          headers: {
            ...{ 'content-type': 'application/json', accept },
            ...(place.startsWith('/widget') ? { origin: new URL(own).origin } : {}),
            ...caller.headers,
          },
          body: Buffer.from(JSON.stringify({ ...body, ...more })),
        });
        const context = { context: { url: page, title: 'Pumps' } };
        const accept = index % 2 === 0 ? 'application/json' : 'text/event-stream';
        const how = index % 2 === 0 ? 'answers as JSON' : 'answers as events';
        await look(how, caller, asked('/api/conversations/message', context, accept), true);
        await look(how, caller, asked('/widget/message', context, accept), true);
      }
    }
  } finally {
    streams.close();
  }

  async function look(
    door: string,
    caller: Caller,
    wire: WireRequest,
    showsPages: boolean,
  ): Promise<void> {
    await tally.check(door, async () => {
      const answer = await streams.send(wire);
      const changes = await arena.changes();
      try {
        if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text.slice(0, 300)}`);
        arena.secrets.check(caller, showsPages, wire, answer);
        arena.secrets.checkNew(changes, answer);
        return answer.status;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${reason}\n\nsent by: ${caller.name}\n  ${describeRequest(wire)}`);
      } finally {
        await arena.store.restore(changes);
      }
    });
  }
}

/** At most `most` items, spread over the whole list. */
export function spread<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.ceil(items.length / Math.max(1, most)));
  return items.filter((_, index) => index % step === 0);
}
