import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { operations } from '../../src/main/create-server.js';
import type { Operation } from '../../src/platform/http/operation.js';
import { createTestClock } from '../support/test-clock.js';
import { serveTestApp } from '../support/test-app.js';
import { buildRequest } from './build-request.js';
import { signIn, type Caller } from './callers.js';
import { checkDoor, checkList, checkShape } from './check-answer.js';
import { anyDrafts, nameOf, soundDrafts, type Draft } from './draft.js';
import { readFacts, type Facts } from './oracle.js';
import { checkPage } from './page-counts.js';
import { ReplyShapes } from './reply-shapes.js';
import { checkChanges } from './check-changes.js';
import { Secrets } from './secrets.js';
import { describeRequest, Sender } from './send.js';
import { Store } from './store.js';
import { buildWorld, type World } from './world.js';

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_260_301);
/** Requests of each operation, of any kind; a third as many that should succeed come before them. */
const runs = Number(process.env['PROPERTY_RUNS'] ?? 75);

const shapes = new ReplyShapes();

describe(`Every operation, whatever it is sent (PROPERTY_SEED=${seed} PROPERTY_RUNS=${runs})`, () => {
  const clock = createTestClock();
  let test: Awaited<ReturnType<typeof serveTestApp>>;
  let world: World;
  let callers: Caller[];
  let store: Store;
  let facts: Facts;
  let secrets: Secrets;
  let sender: Sender;
  let statuses: Set<number>;

  before(async () => {
    test = await serveTestApp(unlimited, clock);
    world = await buildWorld(test);
    callers = await signIn(test, clock, world);
    store = await Store.open(join(test.folder, 'test.sqlite'), test.folder);
    facts = await readFacts(store);
    secrets = new Secrets(facts, world.secrets);
    sender = new Sender(test.url);
  });

  after(async () => {
    await arena?.close();
  });

  async function holds(operation: Operation, draft: Draft): Promise<void> {
    const { caller, reader } = draft;
    const built = buildRequest(operation, draft, world);
    const answer = await sender.send(built.wire);
    const changes = await store.changes();
    try {
      statuses.add(answer.status);
      checkShape(operation, built, answer, shapes);
      checkDoor(operation, built, caller, answer);
      secrets.check(reader, showsPages(operation), built.wire, answer);
      secrets.checkNew(changes, answer);
      checkList(operation, built, reader, answer, facts);
      checkPage(operation, built, caller, answer, facts);
      checkChanges(operation, world.sides[reader.side], changes, answer, facts);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const sent = describeRequest(built.wire);
      throw new Error(
        `${reason}\n\nsent by: ${caller.name}\n  ${sent}\n\nanswered ${answer.status}`,
      );
    } finally {
      await store.restore(changes);
    }
  }

  for (const operation of operations) {
    it(`${nameOf(operation)} refuses or answers as declared, and shows nobody what is not theirs`, async () => {
      statuses = new Set();
      for (const [drafts, numRuns] of [
        [soundDrafts(operation, callers), Math.ceil(runs / 3)],
        [anyDrafts(operation, callers), runs],
      ] as const) {
        const property = fc.asyncProperty(drafts, (draft) => holds(operation, draft));
        const result = await fc.check(property, { seed, numRuns, interruptAfterTimeLimit: 60_000 });
        if (result.failed) throw failure(operation, result);
      }
      const all = [...statuses].sort().join(', ');
      assert.ok(
        [...statuses].some((status) => status < 300),
        `no request succeeded; the answers were ${all}. Give the operation a line in makers.ts.`,
      );
      assert.ok(
        [...statuses].some((status) => status >= 400),
        `nothing was refused: ${all}`,
      );
    });
  }
});

/** Operations that show pages of any organization, and so its public knowledge. */
function showsPages({ access, path }: Operation): boolean {
  return access === 'optional' || path === '/api/conversations/message';
}

function failure(operation: Operation, result: fc.RunDetails<[Draft]>): Error {
  const { errorInstance, numRuns, numShrinks, counterexamplePath } = result;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return new Error(
    `${nameOf(operation)}, request ${numRuns}, made smaller ${numShrinks} times ` +
      `(PROPERTY_SEED=${seed}, path ${counterexamplePath ?? ''}):\n${reason}`,
  );
}

/** A run sends in a minute what people send in a month, as fast as it can. */
const unlimited = {};
