import type { Caller } from './callers.js';
import { maySee, type Facts } from './oracle.js';
import type { Row } from './store.js';

interface List {
  table: string;
  /** The column that an item's `id` shows. */
  id?: string;
  /** The field that identifies the item, if it is not `id`. */
  field?: string;
  /** Selects the rows of this list among those that the caller may see, by the path's parameters. */
  only?: (row: Row, params: Record<string, string>, facts: Facts, caller: Caller) => boolean;
}

function isEntry(row: Row | undefined, name: string | undefined): boolean {
  return row !== undefined && (row['uuid'] === name || String(row['id']) === name);
}

/** The table of each list. A list without a line here fails the test. */
const lists: Record<string, List> = {
  '/api/knowledge': { table: 'knowledge_entries', id: 'uuid' },
  '/api/knowledge/:id/history': {
    table: 'knowledge_entry_versions',
    field: 'version',
    id: 'version',
    only: (row, { id }, facts) =>
      isEntry(facts.find('knowledge_entries', 'id', row['entry_id']), id),
  },
  '/api/knowledge/:id/answers': {
    table: 'messages',
    only: (row, { id }, facts) => {
      const entry = facts.rows.get('knowledge_entries')?.find((one) => isEntry(one, id));
      const citations = facts.rows.get('message_citations') ?? [];
      return citations.some(
        (one) => one['message_id'] === row['id'] && one['entry_uuid'] === entry?.['uuid'],
      );
    },
  },
  '/api/knowledge/ingestion-batches': { table: 'ingestion_batches' },
  '/api/knowledge/documents': {
    table: 'ingestion_batches',
    field: 'batch_id',
    only: (row) => row['source'] !== null,
  },
  '/api/knowledge/sources': { table: 'sources' },
  '/api/knowledge/sources/:id/runs': {
    table: 'source_runs',
    only: (row, { id }) => String(row['source_id']) === id,
  },
  '/api/knowledge/requests': { table: 'knowledge_requests' },
  '/api/notifications': { table: 'notifications' },
  '/api/conversations': { table: 'conversations' },
  '/api/conversations/:id/messages': {
    table: 'messages',
    only: (row, { id }) => row['conversation_id'] === id,
  },
  '/widget/conversations': { table: 'conversations' },
  '/widget/conversations/:id/messages': {
    table: 'messages',
    only: (row, { id }) => row['conversation_id'] === id,
  },
  '/widget/requests': { table: 'knowledge_requests' },
  '/widget/notifications': { table: 'notifications' },
  '/api/account-links': { table: 'account_links' },
  '/api/admin/organizations': { table: 'organizations' },
  '/api/admin/apps': { table: 'apps' },
  '/api/admin/domains': { table: 'domains' },
  '/api/admin/views': { table: 'views' },
  '/api/admin/widget-keys': { table: 'widget_keys' },
  '/api/admin/users': { table: 'users' },
  '/api/admin/tokens': { table: 'api_tokens' },
  '/api/admin/identity-providers': { table: 'identity_providers' },
  '/api/admin/webhooks': { table: 'webhook_endpoints' },
  '/api/admin/deliveries': { table: 'outbox_deliveries' },
  '/api/admin/audit-log': { table: 'audit_log' },
  '/api/admin/quotas': { table: 'quotas', id: 'user_id', field: 'user_id' },
  '/api/admin/signing-keys': { table: 'signing_keys', id: 'kid', field: 'kid' },
};

/** Lists of sums and passages, whose items are not rows. */
const unlisted = ['/api/admin/usage', '/api/knowledge/search'];

/** The rows on all pages of a list for a caller, with their ids; undefined if the list does not show rows. */
export function expectedItems(
  path: string,
  caller: Caller,
  params: Record<string, string>,
  facts: Facts,
): { field: string; ids: Set<string>; rows: Row[] } | undefined {
  if (unlisted.includes(path)) return undefined;
  const list = lists[path];
  if (list === undefined) throw new Error(`Say in lists.ts which rows the list ${path} shows.`);
  const rows = (facts.rows.get(list.table) ?? []).filter(
    (row) =>
      maySee(caller, list.table, row, facts, false) &&
      (list.only?.(row, params, facts, caller) ?? true),
  );
  const column = list.id ?? 'id';
  const ids = new Set(rows.map((row) => String(row[column])));
  return { field: list.field ?? 'id', ids, rows };
}
