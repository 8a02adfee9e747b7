import assert from 'node:assert/strict';
import fc from 'fast-check';
import { operations } from '../../src/main/create-server.js';
import type { Operation } from '../../src/platform/http/operation.js';
import { openArena, type Arena } from './arena.js';
import { anyDrafts, nameOf, soundDrafts, type Draft } from './draft.js';
import { probe } from './probe.js';
import { ReplyShapes } from './reply-shapes.js';

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_260_301);

/** Sends each operation requests of any kind, after a third as many requests that should succeed. */
export function describeEveryOperation(usualRuns: number): void {
  const runs = Number(process.env['PROPERTY_RUNS'] ?? usualRuns);
  const shapes = new ReplyShapes();
  describe(`Each operation with generated requests (PROPERTY_SEED=${seed} PROPERTY_RUNS=${runs})`, () => {
    let arena: Arena | undefined;

    before(async () => {
      arena = await openArena();
    });

    after(async () => {
      await arena?.close();
    });

    for (const operation of operations) {
      it(`${nameOf(operation)} answers or refuses as declared, and shows each caller only permitted data`, async () => {
        assert.ok(arena !== undefined);
        const { callers } = arena;
        const statuses = new Set<number>();
        await holdsFor(operation, arena, {
          drafts: soundDrafts(operation, callers),
          numRuns: Math.ceil(runs / 3),
          shapes,
          statuses,
        });
        await holdsFor(operation, arena, {
          drafts: anyDrafts(operation, callers),
          numRuns: runs,
          shapes,
          statuses,
        });
        // Generators that cause only refusals, or only successes, would test little. A short run can't show that:
        // some operations refuse or answer only one request in dozens.
        if (runs < 50) return;
        const all = [...statuses].sort().join(', ');
        assert.ok(
          [...statuses].some((status) => status < 400),
          `no request succeeded: ${all}. Give the operation a line in makers.ts.`,
        );
        assert.ok(
          [...statuses].some((status) => status >= 400),
          `nothing was refused: ${all}`,
        );
      }).timeout(Math.max(240_000, runs * 1000));
    }
  });
}

interface Search {
  drafts: fc.Arbitrary<Draft>;
  numRuns: number;
  shapes: ReplyShapes;
  /** The search adds the status of each answer. */
  statuses: Set<number>;
}

async function holdsFor(
  operation: Operation,
  arena: Arena,
  { drafts, numRuns, shapes, statuses }: Search,
): Promise<void> {
  const property = fc.asyncProperty(drafts, async (draft) => {
    statuses.add(await probe(operation, arena, draft, shapes));
  });
  const result = await fc.check(property, { seed, numRuns });
  if (!result.failed) return;
  const { errorInstance, numShrinks, counterexamplePath } = result;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(
    `${reason}\n\n(request ${result.numRuns} of this operation, made smaller ${numShrinks} times; ` +
      `PROPERTY_SEED=${seed}, path ${counterexamplePath ?? ''})`,
  );
}
