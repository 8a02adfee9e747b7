/** The keys by which a person's rows are found. `name` is the person's name in the audit log, e.g. `user:7`. */
export type PersonKey = 'user' | 'end_user' | 'visitor' | 'conversation' | 'name' | 'email';

/** A column that leads to a person: it holds one of the person's keys, refers to a row of the person, or names them. */
export type PersonLink =
  | { column: string; is: PersonKey }
  | { column: string; of: string; prefix?: string }
  | { column: string; mentions: true };

export interface PersonalTable {
  table: string;
  /** The name of its file in an export; default: the table's name. */
  as?: string;
  /** True when it has a column organization_id. Otherwise the table that it is part of, if ids of people lead to it. */
  organization?: true | { column: string; of: string };
  /** A row is the person's when any of these columns leads to the person. */
  rows: PersonLink[];
  /** For the audit log: only changes by these actions, or all except these. */
  actions?: { only: string[] } | { except: string[] };
  /** Texts with the person's words, or with data that identifies the person. */
  personal?: string[];
  /** Texts that belong to the organization or the product, or that mean nothing to anybody. */
  ours?: string[];
  /** The columns with JSON. */
  json?: string[];
  /** Columns that no export shows: secrets, their hashes, and texts for the organization's staff alone. */
  withheld?: string[];
  /** The only columns that an export shows, when the rest of the row belongs to the organization. */
  shows?: string[];
  /**
   * How an erasure treats the rows, these columns of them, the columns where they name the person, or the fields of
   * their JSON that name the person.
   */
  erase:
    | 'delete'
    | 'keep'
    | { blank: string[] }
    | { unlink: Record<string, null | 0> }
    | { unname: string[] };
}

const person: PersonLink[] = [
  { column: 'user_id', is: 'user' },
  { column: 'end_user_id', is: 'end_user' },
  { column: 'visitor_id', is: 'visitor' },
];

/** Of others, who gave the address to be written to. */
export const requestsByAddress: PersonalTable = {
  table: 'knowledge_requests',
  as: 'requests_answered_to_their_address',
  organization: true,
  rows: [{ column: 'requester_email', is: 'email' }],
  shows: ['id', 'requester_email', 'created_at'],
  erase: { blank: ['requester_email'] },
};

const linkActions = ['account_link.create', 'account_link.delete'];
const requestActions = ['request.update', 'request.resolve'];
const deliveryActions = ['delivery.retry'];

/**
 * Where the database holds what people wrote, were told and are called: the one place that export, erasure and their
 * tests are made from. In the order in which they are erased: a row before that by which it is found. A test compares
 * this list with the schema, so that a new table or text column fails until it is declared, here or in the test.
 */
export const personalTables: PersonalTable[] = [
  {
    table: 'audit_log',
    organization: true,
    rows: [
      { column: 'subject', is: 'name' },
      { column: 'subject', of: 'api_tokens', prefix: 'token:' },
      { column: 'before', mentions: true },
      { column: 'after', mentions: true },
    ],
    // That there was an erasure stays on record, with its counts.
    actions: { except: ['person.erase', ...linkActions, ...requestActions, ...deliveryActions] },
    personal: ['before', 'after'],
    ours: ['action'],
    json: ['before', 'after'],
    erase: { blank: ['before', 'after'] },
  },
  // A link is of two people, one of whom may have stolen it: what names the other one stays.
  {
    table: 'audit_log',
    as: 'changes_of_links',
    organization: true,
    rows: [
      { column: 'before', mentions: true },
      { column: 'after', mentions: true },
    ],
    actions: { only: linkActions },
    json: ['before', 'after'],
    erase: { unname: ['before', 'after'] },
  },
  // Drafts of answers and errors of mail servers are for staff.
  {
    table: 'audit_log',
    as: 'changes_of_requests',
    organization: true,
    rows: [
      { column: 'subject', of: 'knowledge_requests', prefix: 'request:' },
      { column: 'subject', of: 'outbox_deliveries', prefix: 'delivery:' },
      { column: 'before', mentions: true },
      { column: 'after', mentions: true },
    ],
    actions: { only: [...requestActions, ...deliveryActions] },
    shows: ['id', 'action', 'created_at'],
    erase: { blank: ['before', 'after'] },
  },
  // These changes stay: they concern what the organization owns, and the id of a deleted account leads to nobody.
  {
    table: 'audit_log',
    as: 'changes_made',
    organization: true,
    rows: [{ column: 'actor', is: 'name' }],
    shows: ['id', 'action', 'subject', 'created_at'],
    erase: 'keep',
  },
  {
    table: 'knowledge_entries',
    as: 'entries_changed_last',
    organization: true,
    rows: [{ column: 'changed_by', is: 'name' }],
    ours: [
      'uuid',
      'domain',
      'url_pattern',
      'scope',
      'title',
      'content',
      'language',
      'status',
      'visibility',
      'batch_id',
      'source_document',
      'source_url',
      'source_anchor',
      'source_anchors',
      'source_sha256',
      'source_title',
      'merged_sha256s',
    ],
    shows: ['id', 'updated_at'],
    erase: 'keep',
  },
  {
    table: 'knowledge_entry_versions',
    as: 'entry_versions_made',
    organization: { column: 'entry_id', of: 'knowledge_entries' },
    rows: [{ column: 'changed_by', is: 'name' }],
    ours: ['fields'],
    shows: ['entry_id', 'version', 'changed_at'],
    erase: 'keep',
  },
  {
    table: 'ingestion_batches',
    as: 'batches_started',
    organization: true,
    rows: [{ column: 'created_by', is: 'name' }],
    ours: [
      'id',
      'domain',
      'file_name',
      'file_sha256',
      'visibility',
      'status',
      'chunks_sha256',
      'pages_without_text',
      'read_by',
      'recognized_pages',
      'error_code',
      'error_message',
      'lease_token',
      'document',
      'superseded_by',
      'source_path',
      'kind',
      'source_url',
      'source',
      'folder',
    ],
    shows: ['id', 'file_name', 'created_at'],
    erase: 'keep',
  },
  {
    table: 'knowledge_requests',
    as: 'requests_resolved',
    organization: true,
    rows: [{ column: 'resolved_by', is: 'name' }],
    shows: ['id', 'resolved_at'],
    erase: 'keep',
  },
  {
    table: 'usage_events',
    organization: true,
    rows: [
      { column: 'user_id', is: 'user' },
      { column: 'end_user_id', is: 'end_user' },
      { column: 'payer_user_id', is: 'user' },
      { column: 'message_id', of: 'messages' },
    ],
    ours: ['channel'],
    erase: { unlink: { user_id: null, end_user_id: null, payer_user_id: 0 } },
  },
  {
    table: 'answer_frames',
    rows: [{ column: 'question_id', of: 'messages' }],
    personal: ['frame'],
    withheld: ['frame'],
    erase: 'delete',
  },
  {
    table: 'running_answers',
    rows: [{ column: 'question_id', of: 'messages' }],
    personal: ['asker'],
    withheld: ['lease_expires_at', 'watched_at', 'asker'],
    erase: 'delete',
  },
  {
    table: 'settled_questions',
    rows: [{ column: 'question_id', of: 'messages' }],
    ours: ['how'],
    erase: 'delete',
  },
  {
    table: 'message_citations',
    organization: true,
    rows: [{ column: 'message_id', of: 'messages' }],
    ours: ['entry_uuid'],
    withheld: ['entry_uuid'],
    erase: 'delete',
  },
  {
    table: 'message_feedback',
    rows: [{ column: 'message_id', of: 'messages' }],
    personal: ['comment'],
    ours: ['rating'],
    erase: 'delete',
  },
  {
    table: 'outbox_deliveries',
    organization: true,
    rows: [
      { column: 'notification_id', of: 'notifications' },
      { column: 'target', is: 'email' },
    ],
    personal: ['payload', 'last_error'],
    ours: ['channel', 'status', 'lease_token'],
    json: ['payload'],
    withheld: ['last_error', 'lease_token', 'lease_expires_at'],
    erase: 'delete',
  },
  {
    table: 'notifications',
    organization: true,
    rows: [...person, { column: 'conversation_id', is: 'conversation' }],
    personal: ['payload'],
    ours: ['kind', 'dedupe_key', 'conversation_id'],
    json: ['payload'],
    erase: 'delete',
  },
  {
    table: 'knowledge_requests',
    organization: true,
    rows: [
      { column: 'requester_user_id', is: 'user' },
      { column: 'requester_end_user_id', is: 'end_user' },
      { column: 'requester_visitor_id', is: 'visitor' },
      { column: 'conversation_id', is: 'conversation' },
    ],
    personal: ['question', 'url', 'response'],
    ours: ['status', 'conversation_id'],
    erase: 'delete',
  },
  requestsByAddress,
  {
    table: 'messages',
    rows: [{ column: 'conversation_id', of: 'conversations' }],
    personal: ['content', 'sources', 'page_url'],
    ours: ['role', 'status', 'language', 'mode', 'unsupported', 'internal_entries', 'model'],
    json: ['sources', 'unsupported'],
    withheld: ['internal_entries'],
    erase: 'delete',
  },
  {
    table: 'conversations',
    organization: true,
    rows: [...person, { column: 'id', is: 'conversation' }],
    personal: ['title'],
    ours: ['id', 'channel'],
    erase: 'delete',
  },
  {
    table: 'sources',
    organization: true,
    rows: [{ column: 'report_to', is: 'user' }],
    ours: ['domain', 'name', 'kind', 'place', 'options', 'visibility', 'policy', 'lease_token'],
    shows: ['id', 'name', 'report_to'],
    erase: { unlink: { report_to: null } },
  },
  {
    table: 'account_links',
    organization: true,
    rows: [
      { column: 'user_id', is: 'user' },
      { column: 'end_user_id', is: 'end_user' },
    ],
    erase: 'delete',
  },
  {
    table: 'end_users',
    organization: true,
    rows: [
      { column: 'id', is: 'end_user' },
      { column: 'user_id', is: 'user' },
    ],
    personal: ['external_id', 'email', 'display_name'],
    erase: 'delete',
  },
  { table: 'quotas', rows: [{ column: 'user_id', is: 'user' }], erase: 'delete' },
  {
    table: 'refresh_tokens',
    rows: [{ column: 'user_id', is: 'user' }],
    personal: ['family', 'token_hash', 'id_token', 'browser'],
    withheld: ['family', 'token_hash', 'id_token'],
    erase: 'delete',
  },
  {
    table: 'api_tokens',
    rows: [{ column: 'user_id', is: 'user' }],
    personal: ['jti', 'name'],
    erase: 'delete',
  },
  {
    table: 'sign_in_places',
    rows: [{ column: 'user_id', is: 'user' }],
    personal: ['place_hash'],
    withheld: ['place_hash'],
    erase: 'delete',
  },
  {
    table: 'sign_in_links',
    rows: [{ column: 'user_id', is: 'user' }],
    personal: ['token_hash'],
    withheld: ['token_hash'],
    erase: 'delete',
  },
  {
    table: 'user_identities',
    rows: [{ column: 'user_id', is: 'user' }],
    personal: ['subject'],
    ours: ['issuer'],
    erase: 'delete',
  },
  {
    table: 'provider_sign_ins',
    rows: [{ column: 'user_id', is: 'user' }],
    personal: ['code_hash', 'id_token'],
    ours: [
      'state_hash',
      'nonce',
      'code_verifier',
      'redirect_uri',
      'return_to',
      'starter_challenge',
    ],
    withheld: [
      'code_hash',
      'id_token',
      'state_hash',
      'nonce',
      'code_verifier',
      'starter_challenge',
    ],
    erase: 'delete',
  },
  {
    table: 'second_factors',
    rows: [{ column: 'user_id', is: 'user' }],
    personal: ['secret'],
    withheld: ['secret'],
    erase: 'delete',
  },
  {
    table: 'recovery_codes',
    rows: [{ column: 'user_id', is: 'user' }],
    personal: ['code_hash'],
    withheld: ['code_hash'],
    erase: 'delete',
  },
  {
    table: 'users',
    organization: true,
    rows: [{ column: 'id', is: 'user' }],
    personal: ['email', 'email_key', 'display_name', 'password_hash', 'time_zone'],
    ours: ['role', 'language', 'appearance'],
    withheld: ['password_hash'],
    erase: 'delete',
  },
];
