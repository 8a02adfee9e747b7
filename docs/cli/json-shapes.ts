/**
 * What commands answer with --json whose help does not say it, by the words of the command. Names of resources in
 * capitals are those of the API: `/api/openapi.json` describes their fields.
 */
export const jsonShapes: Readonly<Record<string, string>> = {
  init: '{ dry_run, steps: [{ what, done, exists }], snippet, models: [{ name, status, finding, remedy? }] }',
  serve: '{ url }, as a line once it serves',
  worker:
    '{ status, threads }, as a line once it waits; with --once { attempts, embedding_failure? }',
  ingest:
    '{ files: [{ file, outcome, batch_id, pages, pages_without_text, pages_with_hidden_text, diff, visibility_notes, entries, approved, taken_back, error }], missing, summary: { files, ingested, accepted, unchanged, failed, interrupted } }',
  'batches show': 'IngestionBatchWithEntries',
  'batches approve': '{ success, approved, … }',
  'batches delete': '{ success, deleted }',
  'batches retry': 'IngestionBatch',
  'knowledge show': 'KnowledgeEntry',
  'knowledge add': 'KnowledgeEntry',
  'knowledge delete': '{ id, deleted }',
  'knowledge search': '{ data: [{ … }] }',
  reindex: '{ … }: what `reindex --status` says, with { embedded, whole, undone } after a run',
  ask: '{ … }, as a line for each answer',
  'requests show': 'KnowledgeRequest',
  'requests resolve': 'KnowledgeRequest',
  'requests dismiss': 'KnowledgeRequest',
  'eval add': '{ file, added: [question], already_there }',
  'users add': '{ id, email, display_name, role }',
  'users edit': 'User',
  'users disable': 'User',
  'users enable': 'User',
  'users reset-password': 'User',
  'users delete': '{ id, email, deleted }',
  'tokens mint': '{ token, name, email, expires_at }',
  'tokens revoke': 'ApiToken',
  'keys revoke': 'WidgetKey',
  'keys snippet': '{ tag, … }',
  usage: '{ data: [row], pagination: { total, page, limit }, … }',
  'models list': '{ url, models: [{ … }] }',
  'models pull': '{ type, model, … }, as a line for each step: progress, done or none',
  doctor: '{ status, checked_at, version, checks: [{ name, status, … }] }',
  migrate: '{ pending, applied, backup }',
};
