import assert from 'node:assert/strict';
import type { Operation } from '../../src/platform/http/operation.js';
import type { BuiltRequest } from './build-request.js';
import type { Caller } from './callers.js';
import type { Facts } from './oracle.js';
import type { WireAnswer } from './send.js';
import type { Row } from './store.js';

interface Figures {
  messages: number;
  units: number;
}

/** Checks sums against the rows that this caller may see, because a sum can reveal hidden rows too. */
export function checkFigures(
  { path }: Operation,
  { query }: BuiltRequest,
  { identity }: Caller,
  { status, text }: WireAnswer,
  facts: Facts,
): void {
  if (status !== 200 || identity.kind !== 'person') return;
  const events = facts.rows.get('usage_events') ?? [];
  if (path === '/api/me/usage') {
    const own = events.filter((row) => row['payer_user_id'] === identity.userId);
    assert.deepEqual(figuresOf(JSON.parse(text) as Figures), sumsOf(own), 'what is one’s own');
  }
  const filters = Object.keys(query).filter(
    (name) => !/^(page|limit|group_by|channel)$/.test(name),
  );
  if (path !== '/api/admin/usage' || filters.length > 0) return;
  const ofAll = events.filter(
    (row) =>
      row['organization_id'] === identity.organizationId &&
      (query['channel'] === undefined || row['channel'] === query['channel']),
  );
  const { totals } = JSON.parse(text) as { totals: Figures };
  assert.deepEqual(figuresOf(totals), sumsOf(ofAll), 'what is the organization’s');
}

function figuresOf({ messages, units }: Figures): Figures {
  return { messages, units };
}

function sumsOf(events: Row[]): Figures {
  return {
    messages: events.length,
    units: events.reduce((sum, row) => sum + Number(row['units']), 0),
  };
}
