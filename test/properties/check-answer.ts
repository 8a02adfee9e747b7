import assert from 'node:assert/strict';
import { errorCodes, type ErrorCode } from '../../src/platform/errors.js';
import type { Operation } from '../../src/platform/http/operation.js';
import type { BuiltRequest } from './build-request.js';
import type { Caller } from './callers.js';
import { expectedItems } from './lists.js';
import type { Facts } from './oracle.js';
import { accessFor, outcomeOf } from './outcome.js';
import { checkSuccess, type ReplyShapes } from './reply-shapes.js';
import type { WireAnswer } from './send.js';

/** Codes that any operation may answer to any request. */
const always: ErrorCode[] = ['invalid_request', 'method_not_allowed', 'shutting_down'];

interface Problem {
  status: number;
  code: string;
  detail: string;
  request_id: string;
  errors?: { path: string; message: string }[];
}

/** Checks the status and shape of an answer. */
export function checkShape(
  operation: Operation,
  built: BuiltRequest,
  answer: WireAnswer,
  shapes: ReplyShapes,
): void {
  assert.ok(answer.status < 500, `${answer.status}: ${answer.text.slice(0, 500)}`);
  if (answer.status < 400) {
    assert.ok(!built.broken || operation.upload !== undefined, 'a broken request was taken');
    checkSuccess(operation, answer, shapes);
    return;
  }
  const type = String(answer.headers['content-type']);
  assert.match(type, /^application\/problem\+json/, `an error of type ${type}`);
  const problem = JSON.parse(answer.text) as Problem;
  assert.ok(problem.code in errorCodes, `the code ${problem.code} is not documented`);
  const { status } = errorCodes[problem.code as ErrorCode];
  assert.equal(answer.status, status, `${problem.code} is documented as ${status}`);
  assert.equal(problem.status, answer.status);
  assert.ok(problem.detail.length > 0 && problem.request_id.length > 0);
  if (built.broken) return;
  const codes = refusalsOf(operation);
  assert.ok(codes.has(problem.code), `${problem.code} is not among the operation's refusals`);
}

function refusalsOf({ access, body, upload, path, refusals }: Operation): Set<string> {
  const codes = new Set<string>([...always, ...(refusals ?? [])]);
  if (access === 'optional') codes.add('unauthenticated');
  else if (access !== 'anyone') codes.add('unauthenticated').add('forbidden');
  if (body !== undefined || upload !== undefined)
    codes.add('body_too_large').add('unsupported_media_type');
  if (path.includes('/:')) codes.add('not_found');
  return codes;
}

/** Checks that the operation was open only to callers whom the rules allow. */
export function checkDoor(
  operation: Operation,
  built: BuiltRequest,
  { identity }: Caller,
  { status, text }: WireAnswer,
): void {
  const { broken, problems, owners } = built;
  if (broken) return;
  const outcome = outcomeOf(accessFor(operation, built), identity);
  if (outcome !== 'allowed') {
    const refused = outcome === 403 ? [401, 403] : [401];
    assert.ok(refused.includes(status), `expected ${outcome}, got ${status}: ${text}`);
    return;
  }
  if (operation.access in { anyone: 1, host_backend: 1 }) return;
  // The body may contain another credential, which may be wrong.
  if (status === 401 && operation.refusals?.includes('unauthenticated') === true) return;
  assert.ok(status !== 401 && status !== 403, `a caller who may was refused: ${text}`);
  // A text that is too long for its field may also make the body too long for callers who may only ask.
  if (problems.length > 0 && status === 413) return;
  if (problems.length > 0) {
    checkNamedProblem(problems, status, text);
    return;
  }
  if (!owners.some((owner) => owner === 'foreign' || owner === 'missing')) return;
  // An invalid input may be reported first, because that does not reveal whether the thing exists.
  assert.ok([404, 400, 422].includes(status), `not this caller's, and answered ${status}: ${text}`);
}

function checkNamedProblem(problems: string[], status: number, text: string): void {
  assert.equal(status, 400, `fields at fault: ${problems.join(', ')}; answered ${text}`);
  const { code, errors = [] } = JSON.parse(text) as Problem;
  assert.equal(code, 'invalid_request');
  const named = errors.map(({ path }) => path);
  const fits = (path: string) =>
    named.some((name) => name === path || name === '(the whole)' || path.startsWith(`${name}.`));
  assert.ok(problems.some(fits), `at fault: ${problems.join(', ')}; named: ${named.join(', ')}`);
}

/** Checks the items and the total of a list against the rows that the caller may see. */
export function checkList(
  operation: Operation,
  { params, query }: BuiltRequest,
  caller: Caller,
  { status, text }: WireAnswer,
  facts: Facts,
): void {
  if (status !== 200 || operation.method !== 'get') return;
  if (!text.startsWith('{')) return;
  const { data, pagination } = JSON.parse(text) as {
    data?: Record<string, unknown>[];
    pagination?: { total: number; page: number; limit: number };
  };
  if (data === undefined || pagination === undefined) return;
  const expected = expectedItems(operation.path, caller, params, facts);
  const { total, page, limit } = pagination;
  assert.equal(page, Number(query['page'] ?? 1));
  assert.equal(limit, Number(query['limit'] ?? 20));
  const here = Math.max(0, Math.min(limit, total - (page - 1) * limit));
  assert.equal(data.length, here, `${data.length} items on page ${page} of ${total}`);
  if (expected === undefined) return;
  for (const item of data) {
    const id = String(item[expected.field]);
    assert.ok(expected.ids.has(id), `the list holds ${id}, which this caller may not see`);
  }
  const filters = Object.keys(query).filter((name) => !['page', 'limit', 'sort'].includes(name));
  const all = expected.ids.size;
  assert.ok(total <= all, `${total} are counted, the caller may see ${all}`);
  if (filters.length === 0) assert.equal(total, all, 'the whole list');
  const { q } = query;
  if (q === undefined || !q.startsWith('kanari')) return;
  const holding = expected.rows.filter((row) => Object.values(row).join('\n').includes(q)).length;
  assert.ok(total <= holding, `${total} are counted for ${q}, the caller may see ${holding}`);
}
