import type { Operation } from '../../src/platform/http/operation.js';
import type { Arena } from './arena.js';
import { buildRequest } from './build-request.js';
import { checkDoor, checkList, checkShape } from './check-answer.js';
import { checkChanges } from './check-changes.js';
import type { Draft } from './draft.js';
import { checkFigures } from './figures.js';
import { checkPage } from './page-counts.js';
import type { ReplyShapes } from './reply-shapes.js';
import { describeRequest } from './send.js';

/**
 * Sends one request, checks its answer against every promise, and restores the database. Returns the status. Throws
 * the broken promise together with the request.
 */
export async function probe(
  operation: Operation,
  arena: Arena,
  draft: Draft,
  shapes: ReplyShapes,
): Promise<number> {
  const { world, store, secrets, facts } = arena;
  const { caller, reader } = draft;
  const built = buildRequest(operation, draft, world);
  const answer = await arena.sender.send(built.wire);
  const changes = await arena.changes();
  try {
    checkShape(operation, built, answer, shapes);
    checkDoor(operation, built, caller, answer);
    secrets.check(reader, showsPages(operation), built.wire, answer);
    secrets.checkNew(changes, answer);
    checkList(operation, built, reader, answer, facts);
    checkPage(operation, built, caller, answer, facts);
    checkFigures(operation, built, caller, answer, facts);
    checkChanges(operation, world.sides[reader.side], changes, answer, facts);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const bug = answer.status === 500 ? arena.bugs.at(-1) : undefined;
    const because = bug instanceof Error ? `\n${bug.stack ?? bug.message}` : '';
    throw new Error(
      `${reason}${because}\n\nsent by: ${caller.name}\n  ${describeRequest(built.wire)}\n\nanswered ${answer.status}`,
    );
  } finally {
    await store.restore(changes);
  }
  return answer.status;
}

/** Whether an operation shows pages, and so public knowledge, of any organization. */
export function showsPages({ access, path }: Operation): boolean {
  return (
    access === 'optional' || /^\/(api\/conversations|widget)\/message$|^\/widget\/page$/.test(path)
  );
}
