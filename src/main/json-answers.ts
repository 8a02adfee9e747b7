import type { Command } from 'commander';
import { answerOf, withAnswer } from '../platform/cli/cli.js';

/**
 * What commands answer with --json that do not say it where they are made, by the words of the command. Names of
 * resources in capitals are those of the API: `/api/openapi.json` describes their fields.
 */
const jsonAnswers: Readonly<Record<string, string>> = {
  init: '{ dry_run, steps: [{ what, done, exists }], snippet, models: [{ name, status, finding, remedy? }] }',
  serve: '{ url }, as a line once it serves',
  worker:
    '{ status, threads }, as a line once it waits; with --once { attempts, embedding_failure? }',
  ingest:
    '{ files: [{ file, name, outcome, standing, batch_id, pages, pages_without_text, pages_with_hidden_text, diff, visibility_notes, entries, approved, taken_back, error }], missing, unreadable: [{ path, message }], pruned?: [{ file, name, batch_id, taken_back, deleted }], summary: { files, ingested, accepted, new, changed, unchanged, failed, interrupted, failures, pruned? } }; with --dry-run dry_run: true before it',
  'batches show': 'IngestionBatchWithEntries',
  'batches approve': '{ success, approved, deleted? }',
  'batches delete': '{ success, deleted }',
  'batches retry': 'IngestionBatch',
  'knowledge show': 'KnowledgeEntry',
  'knowledge add': 'KnowledgeEntry',
  'knowledge delete': '{ id, deleted }',
  'knowledge search':
    '{ data: [{ id, title, passage, score, coverage, page_from, page_to }] }; with --explain ExplainedSearch',
  reindex:
    '{ embedding_model, running, failure, generations: [{ id, state, model, digest, dimension, embedded, passages, refused, in_memory, trust, created_at }] }, with { embedded, whole, undone } after a run',
  ask: '{ response, conversationId, messageId, sources, found, canRequest, unsupported, withheld, status, suggestions?, mode, language }, as a line for each answer',
  'requests show': 'KnowledgeRequest',
  'requests resolve': 'KnowledgeRequest',
  'requests dismiss': 'KnowledgeRequest',
  'eval add': '{ file, added: [question], already_there }',
  'users add': 'User',
  'users edit': 'User',
  'users disable': 'User',
  'users enable': 'User',
  'users reset-password': 'User',
  'users reset-two-factor': 'User',
  'users unlink-identity': 'User',
  'users delete': '{ id, email, deleted }',
  'tokens revoke': 'ApiToken',
  'keys revoke': 'WidgetKey',
  'keys snippet': '{ key, tag, integrity, policy, trustedTypes, domains }',
  usage:
    '{ data: [Usage], pagination: { total, page, limit }, totals: { messages, units, paid_by_organization, paid_by_users }, from, to }',
  'models list':
    '{ url, models: [{ name, uses, installed, size_bytes, parameters, quantization, digest, loaded }] }',
  'models pull': '{ type, model, … }, as a line for each step: progress, done or none',
  doctor: '{ status, checked_at, version, checks: [{ name, status, finding, remedy }] }',
  migrate: '{ pending, applied, backup }',
  'users unlink': '{ id, email, ended }',
  eval: '{ file, interrupted, measures, languages, modes, missing_entries, failed_gates: [{ gate, wanted, value }] }',
  'models check':
    '{ url, models: [{ use, model, ok, reason, … }] }; for a chat model with first_token_ms, load_ms, tokens_per_second and window_tokens, for embeddings with total_ms and dimension',
  backup:
    '{ file, size_bytes, sha256, created_at, version, migrations, counts, configuration, removed? }',
  'backup verify': '{ file, ok, problems, size_bytes, sha256, questions, … }',
  'backup list': '{ data: [{ file, form, size_bytes, created_at, problem, … }] }',
  restore:
    '{ restored, database, before, set_aside, configuration_file, pending_migrations, astray, … }',
  demo: '{ question, response, mode, found, sources, … }, as a line for each answer',
};

/** Has the help of each command below say what it answers with --json. */
export function tellAnswers(command: Command, above = ''): void {
  for (const one of command.commands) {
    const path = `${above} ${one.name()}`.trim();
    const answer = jsonAnswers[path];
    if (answer !== undefined && answerOf(one) === undefined) withAnswer(one, answer);
    tellAnswers(one, path);
  }
}
