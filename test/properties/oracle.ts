import type { Caller, Identity } from './callers.js';
import type { Row, Store } from './store.js';

type Person = Extract<Identity, { kind: 'person' }>;

/** The rows of the world at its start, with the links between them. */
export interface Facts {
  rows: Map<string, Row[]>;
  /** The organization of a row; undefined if the row belongs to the installation. */
  ownerOf(table: string, row: Row): number | undefined;
  find(table: string, column: string, value: unknown): Row | undefined;
}

/** Tables that no answer shows. */
const hidden = ['schema_migrations'];

export async function readFacts(store: Store): Promise<Facts> {
  const rows = new Map<string, Row[]>();
  const references = new Map<string, { column: string; table: string; to: string }[]>();
  for (const table of store.tables) {
    rows.set(table, await store.rowsOf(table));
    references.set(table, await store.referencesOf(table));
  }
  const find = (table: string, column: string, value: unknown) =>
    rows.get(table)?.find((row) => row[column] === value);
  const ownerOf = (table: string, row: Row): number | undefined => {
    if (table === 'organizations') return row['id'] as number;
    if (typeof row['organization_id'] === 'number') return row['organization_id'];
    for (const reference of references.get(table) ?? []) {
      const value = row[reference.column];
      const parent = value == null ? undefined : find(reference.table, reference.to, value);
      const owner = parent === undefined ? undefined : ownerOf(reference.table, parent);
      if (owner !== undefined) return owner;
    }
    return undefined;
  };
  return { rows, ownerOf, find };
}

type Rule = (who: Person, row: Row, facts: Facts) => boolean;

/** Whether an account is linked to an end user. */
function isLinked(facts: Facts, userId: unknown, endUserId: unknown): boolean {
  const links = facts.rows.get('account_links') ?? [];
  return links.some((link) => link['user_id'] === userId && link['end_user_id'] === endUserId);
}

const isStaff = (who: Person) => who.role !== 'user';
const staff: Rule = (who) => isStaff(who);
const admin: Rule = (who) => who.role === 'admin';
const all: Rule = () => true;
const own: Rule = (who, row) => row['user_id'] === who.userId;
/** The row belongs to the account, or to an end user who is linked to it. */
const ofPerson: Rule = (who, row, facts) =>
  own(who, row, facts) || isLinked(facts, who.userId, row['end_user_id']);
const ownOrStaff: Rule = (who, row, facts) => ofPerson(who, row, facts) || isStaff(who);
const none = undefined as unknown as Facts;

function throughParent(table: string, column: string, to: string, rule: Rule): Rule {
  return (who, row, facts) => {
    const parent = facts.find(table, to, row[column]);
    return parent !== undefined && rule(who, parent, facts);
  };
}

/**
 * The rows of their own organization that a signed-in person may see, by table. The rules state the rights
 * independently of the product. A table without a rule fails the test.
 */
const rules: Record<string, Rule> = {
  organizations: all,
  apps: all,
  domains: all,
  views: admin,
  users: (who, row) => isStaff(who) || row['id'] === who.userId,
  refresh_tokens: () => false,
  sign_in_places: () => false,
  sign_in_attempts: () => false,
  request_limits: () => false,
  retention_days: admin,
  api_tokens: admin,
  identity_providers: admin,
  user_identities: () => false,
  provider_sign_ins: () => false,
  sign_in_rules: admin,
  second_factors: () => false,
  recovery_codes: () => false,
  knowledge_entries: (who, row) =>
    isStaff(who) || (row['status'] === 'published' && row['visibility'] !== 'internal'),
  knowledge_entry_versions: staff,
  ingestion_batches: staff,
  ingestion_uploads: () => false,
  ingestion_gone: staff,
  ingestion_approved: staff,
  ingestion_hidden_texts: staff,
  ingestion_sections: staff,
  ingestion_reshaped: staff,
  sources: staff,
  source_runs: staff,
  source_pages: () => false,
  passages: (who, row) =>
    isStaff(who) || (row['published'] === 1 && row['visibility'] !== 'internal'),
  conversations: ownOrStaff,
  messages: throughParent('conversations', 'conversation_id', 'id', ownOrStaff),
  message_citations: throughParent(
    'messages',
    'message_id',
    'id',
    throughParent('conversations', 'conversation_id', 'id', ownOrStaff),
  ),
  message_feedback: throughParent(
    'messages',
    'message_id',
    'id',
    throughParent('conversations', 'conversation_id', 'id', ownOrStaff),
  ),
  knowledge_requests: (who, row, facts) =>
    isStaff(who) ||
    row['requester_user_id'] === who.userId ||
    isLinked(facts, who.userId, row['requester_end_user_id']),
  notifications: ofPerson,
  webhook_endpoints: admin,
  outbox_deliveries: admin,
  widget_keys: admin,
  widget_secrets: () => false,
  end_users: (who, row, facts) => isStaff(who) || isLinked(facts, who.userId, row['id']),
  account_links: own,
  link_tokens: () => false,
  usage_events: (who, row) => admin(who, row, none) || own(who, row, none),
  quotas: (who, row) => admin(who, row, none) || own(who, row, none),
  audit_log: admin,
};

/** The columns that are hidden from a person who may see the row. */
export function hiddenColumns(
  { identity }: Pick<Caller, 'identity'>,
  table: string,
  row: Row,
): string[] {
  const columns: string[] = [];
  const forStaff = identity.kind === 'person' && isStaff(identity);
  // Only staff see the address that a requester entered.
  if (table === 'knowledge_requests' && !forStaff) columns.push('requester_email');
  // A response before the resolution is only a draft of the staff.
  const isDraft = table === 'knowledge_requests' && row['status'] !== 'resolved';
  if (isDraft && !forStaff) columns.push('response');
  return columns;
}

/** Columns that are never shown. */
export const secretColumns = /(^|_)(hash|secret)$|^secret_hash$|^password/;

/** Whether a caller may be shown a row; `pages` for operations that show public pages of any organization. */
export function maySee(
  { identity }: Pick<Caller, 'identity'>,
  table: string,
  row: Row,
  facts: Facts,
  pages: boolean,
): boolean {
  if (hidden.includes(table)) return false;
  // Signing keys belong to the installation. All admins see their list.
  if (table === 'signing_keys') return identity.kind === 'person' && identity.role === 'admin';
  if (pages && isOnPage(identity, table, row)) return true;
  // A widget shows the name of its app and of the organization.
  if (table === 'apps' && 'appId' in identity) return row['id'] === identity.appId;
  if (table === 'organizations' && 'appId' in identity)
    return row['id'] === identity.organizationId;
  if (identity.kind === 'end_user') return isOfEndUser(identity.endUserId, table, row, facts);
  if (identity.kind !== 'person' || facts.ownerOf(table, row) !== identity.organizationId)
    return false;
  const rule = rules[table];
  if (rule === undefined) throw new Error(`Say in the oracle who may see the rows of ${table}.`);
  return rule(identity, row, facts);
}

/** Whether the widget shows a row to an end user. */
function isOfEndUser(id: number, table: string, row: Row, facts: Facts): boolean {
  switch (table) {
    case 'conversations':
    case 'notifications':
      return row['end_user_id'] === id || isOfAccount(id, row['user_id'], row, facts);
    case 'users':
      // The widget shows the name of the linked account.
      return isLinked(facts, row['id'], id);
    case 'end_users':
      return row['id'] === id;
    case 'knowledge_requests':
      return (
        row['requester_end_user_id'] === id || isOfAccount(id, row['requester_user_id'], row, facts)
      );
    case 'messages':
    case 'message_feedback': {
      const by = table === 'messages' ? 'conversation_id' : 'message_id';
      const above = table === 'messages' ? 'conversations' : 'messages';
      const parent = facts.find(above, 'id', row[by]);
      return parent !== undefined && isOfEndUser(id, above, parent, facts);
    }
    default:
      return false;
  }
}

/** Whether a row belongs to the account that is linked to an end user, within the app of the widget. */
function isOfAccount(id: number, userId: unknown, row: Row, facts: Facts): boolean {
  const endUser = facts.find('end_users', 'id', id);
  return isLinked(facts, userId, id) && row['app_id'] === endUser?.['app_id'];
}

/** Whether a page of a site shows a row to the caller. */
export function isOnPage(identity: Identity, table: string, row: Row): boolean {
  if (table === 'apps' || table === 'domains') return true;
  if (table !== 'knowledge_entries') return false;
  if (row['status'] !== 'published' || row['app_id'] === null) return false;
  return tiersOn(identity, row).includes(String(row['visibility']));
}

function tiersOn(identity: Identity, site: Row): string[] {
  const foreign =
    !('organizationId' in identity) || identity.organizationId !== site['organization_id'];
  if (foreign) return ['public'];
  if (identity.kind === 'person')
    return identity.role === 'user'
      ? ['public', 'authenticated']
      : ['public', 'authenticated', 'internal'];
  const known =
    identity.appId === site['app_id'] &&
    (identity.kind === 'end_user' || identity.keyKind === 'authenticated');
  return known ? ['public', 'authenticated'] : ['public'];
}
