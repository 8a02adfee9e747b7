import assert from 'node:assert/strict';
import fc from 'fast-check';
import { operations } from '../../src/main/create-server.js';
import type { Arena } from '../properties/arena.js';
import { buildRequest } from '../properties/build-request.js';
import type { Caller } from '../properties/callers.js';
import { nameOf, soundDrafts, type Draft } from '../properties/draft.js';
import { Given, Ref, type Owner } from '../properties/naming.js';
import { outcomeOf } from '../properties/outcome.js';
import { describeRequest, type WireRequest } from '../properties/send.js';
import type { Kind } from '../properties/world-builder.js';
import type { AttackSize } from './attack.js';
import type { Tally } from './tally.js';

const door = 'foreign ids beside missing ones';

/**
 * Kinds whose names are not secret: a host and an address belong to one organization of the installation, pages are
 * public, and a word is not an id.
 */
const open = new Set<Kind>(['domain', 'email', 'url', 'canary']);

/** Sends every operation with an id of the other organization and with a missing id: both get the same answer. */
export async function attackIds(
  arena: Arena,
  tally: Tally,
  { draws, seed }: AttackSize,
): Promise<void> {
  const callers = ['admin', 'backoffice', 'user', 'authenticated key', 'user token'];
  const some = arena.callers.filter(({ name }) => callers.includes(name));
  for (const operation of operations) {
    for (const caller of some) {
      const { access, path } = operation;
      // A sign-in names no ids.
      if (access === 'anyone' || path === '/widget/login') continue;
      if (outcomeOf(access, caller.identity) !== 'allowed') continue;
      const sound = soundDrafts(operation, [caller]);
      for (const draft of fc.sample(sound, { seed, numRuns: draws })) {
        for (const place of placesOf(draft)) {
          await tally.check(door, () => compare(operation, caller, draft, place));
        }
      }
    }
  }

  async function compare(
    operation: (typeof operations)[number],
    caller: Caller,
    draft: Draft,
    place: Ref,
  ): Promise<number> {
    const of = (owner: Owner) => {
      const named = replaced(draft, place, new Ref(place.kind, owner, place.pick)) as Draft;
      return buildRequest(operation, { ...named, caller, fault: undefined }, arena.world).wire;
    };
    const [foreign, missing] = [of('foreign'), of('missing')];
    const [one, other] = [await answerTo(foreign), await answerTo(missing)];
    const reply = { status: one.status, text: withoutIds(one.text) };
    const name = `${nameOf(operation)} by ${caller.name}, ${place.kind}`;
    assert.deepEqual(
      reply,
      { status: other.status, text: withoutIds(other.text) },
      `${name}\n  ${describeRequest(foreign)}\n  ${describeRequest(missing)}`,
    );
    return one.status;
  }

  async function answerTo(wire: WireRequest) {
    const answer = await arena.sender.send(wire);
    await arena.store.restore(await arena.changes());
    return answer;
  }
}

/** The names in a draft that can be swapped. */
function placesOf({ params, query, body }: Draft): Ref[] {
  const found: Ref[] = [];
  const look = (value: unknown): void => {
    if (value instanceof Ref) found.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  look([params, query, body]);
  return found.filter(({ kind }) => !open.has(kind));
}

function replaced(value: unknown, place: Ref, by: Ref): unknown {
  if (value === place) return by;
  if (Array.isArray(value)) return value.map((one) => replaced(one, place, by));
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Ref || value instanceof Given) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, replaced(child, place, by)]),
  );
}

/** Removes ids and times: an answer repeats the requested id, and has an id and times of its own. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\d+/g, '<number>');
}
