import assert from 'node:assert/strict';
import type { Operation } from '../../src/platform/http/operation.js';
import type { Facts } from './oracle.js';
import type { WireAnswer } from './send.js';
import type { Change, Row } from './store.js';
import type { Side } from './world.js';

/** Columns that any request may change: the last use of a credential or account, the end of a reused token family. */
const besides = new Set([
  'api_tokens.last_used_at',
  'users.last_seen_at',
  'refresh_tokens.seen_at',
  'refresh_tokens.revoked_at',
]);

/** Checks that a request changed only its own organization, and nothing if it was refused or only read. */
export function checkChanges(
  operation: Pick<Operation, 'method' | 'path'>,
  own: Pick<Side, 'organizationId'>,
  changes: Change[],
  { status }: WireAnswer,
  facts: Facts,
): void {
  // Each step of a sign-in in a browser can be used once, so even a read changes its row.
  const isStep = ({ table }: Change) =>
    table === 'provider_sign_ins' && operation.path.startsWith('/api/auth/sso/');
  // An organization's figures and topics are stored when they are first read.
  const isFigure = ({ table, after }: Change) =>
    (table === 'counted_days' || table === 'kept_topics') &&
    after?.['organization_id'] === own.organizationId;
  // What proves somebody's identity is counted before it is checked.
  const isAttempt = ({ table }: Change) => table === 'sign_in_attempts';
  const asked = changes.filter(
    (change) => ![isBeside, isStep, isFigure, isAttempt].some((isExpected) => isExpected(change)),
  );
  const what = asked.map(describe).join('; ');
  if (status >= 400 && asked.length > 0)
    assert.fail(`answered ${status}, and yet changed: ${what}`);
  if (operation.method === 'get' && asked.length > 0) assert.fail(`only read, and yet: ${what}`);
  for (const change of changes.filter((each) => !isStep(each))) {
    const owner = ownerOf(change, changes, facts);
    if (owner === undefined) continue;
    const foreign = owner !== own.organizationId;
    assert.ok(!foreign, `changed another organization's data: ${describe(change)}`);
  }
}

/** The owner of a row, before or else after the change. A new row may refer to another new row. */
function ownerOf({ table, before, after }: Change, changes: Change[], facts: Facts): unknown {
  const row = before ?? after ?? {};
  const known = facts.ownerOf(table, row);
  if (known !== undefined) return known;
  const parent = changes.find(
    (other) => other.after !== undefined && other.table !== table && refersTo(row, other.after),
  );
  return parent === undefined ? undefined : facts.ownerOf(parent.table, parent.after ?? {});
}

function refersTo(row: Row, parent: Row): boolean {
  return Object.entries(row).some(
    ([column, value]) => column.endsWith('_id') && value !== null && value === parent['id'],
  );
}

function isBeside({ table, before, after }: Change): boolean {
  // Any request with a widget key records its host.
  if (table === 'widget_key_hosts') return true;
  if (before === undefined || after === undefined) return false;
  const columns = Object.keys(after).filter((column) => before[column] !== after[column]);
  return columns.every((column) => besides.has(`${table}.${column}`));
}

function describe({ table, before, after }: Change): string {
  if (before === undefined) return `${table} added`;
  if (after === undefined) return `${table} removed`;
  const columns = Object.keys(after).filter((column) => before[column] !== after[column]);
  return `${table} changed (${columns.join(', ')})`;
}
