import assert from 'node:assert/strict';
import type { Operation } from '../../src/platform/http/operation.js';
import type { BuiltRequest } from './build-request.js';
import type { Caller } from './callers.js';
import { isOnPage, type Facts } from './oracle.js';
import type { WireAnswer } from './send.js';
import type { Row } from './store.js';

interface PageAnswer {
  contents: { id: number }[];
  app: { id: number | null };
  stats: Record<'appContentCount' | 'domainContentCount' | 'scopedContentCount', number>;
}

/** Checks a page's contents and counts against the entries that this caller may see there. */
export function checkPage(
  { path }: Operation,
  { query }: BuiltRequest,
  { identity }: Caller,
  { status, text }: WireAnswer,
  facts: Facts,
): void {
  if (!/^\/(api\/knowledge|widget)\/page$/.test(path) || status !== 200) return;
  const { contents, app, stats } = JSON.parse(text) as PageAnswer;
  const host = new URL(query['url'] ?? '').hostname;
  const claimed = facts.rows.get('domains')?.find((row) => covers(String(row['host']), host));
  const owner = claimed && facts.ownerOf('domains', claimed);
  const isOwn = 'organizationId' in identity && identity.organizationId === owner;
  const claim = query['own'] === 'true' && !isOwn ? undefined : claimed;
  assert.equal(app.id, claim?.['app_id'] ?? null);
  const ofApp = (facts.rows.get('knowledge_entries') ?? []).filter(
    (row) => row['app_id'] === app.id && isOnPage(identity, 'knowledge_entries', row),
  );
  const ofDomain = ofApp.filter(
    (row) => typeof row['domain'] === 'string' && covers(row['domain'], host),
  );
  assert.equal(stats.appContentCount, ofApp.length, 'entries of the app that this caller may see');
  assert.equal(stats.domainContentCount, ofDomain.length, 'entries of the domain, likewise');
  assert.ok(stats.scopedContentCount <= ofApp.length, 'entries of view and pattern, likewise');
  const visible = new Set(ofApp.map((row: Row) => row['id']));
  for (const { id } of contents) assert.ok(visible.has(id), `the page shows entry ${id}`);
}

/** Whether a name is the host itself, or a wildcard above it. */
function covers(name: string, host: string): boolean {
  return name === host || (name.startsWith('*.') && host.endsWith(name.slice(1)));
}
