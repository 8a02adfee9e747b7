import { randomUUID } from 'node:crypto';
import type { App } from '../src/platform/app.js';
import { createChance } from '../test/support/chance.js';
import type { TestApp, TestOrganization } from '../test/support/test-app.js';
import { addEntries } from '../src/knowledge/store-entries.js';
import { inTransaction } from '../src/platform/db/in-transaction.js';
import { sampleEntry } from './sample-entries.js';

/** How much an organization has. A conversation has four messages: two questions and their answers. */
export interface Amounts {
  entries: number;
  messages: number;
  batches: number;
  requests: number;
  people: number;
  changes: number;
}

export const whole: Amounts = {
  entries: 100_000,
  messages: 1_000_000,
  batches: 10_000,
  requests: 20_000,
  people: 5000,
  changes: 100_000,
};

/** Entries that are stored as the product stores them. Only these are found by their words: the others lie in the table alone. */
const mostIndexed = 5000;
/** The drafts of the oldest batch. */
const longBatch = 300;
const rowsAtOnce = 50_000;
const texts = 1000;
/** The days over which everything is spread, up to now. */
const days = 180;

/** A word of these texts that one in twenty of them holds, and one that one in a thousand holds. */
export const commonWord = 'manometer';
export const rareWord = 'zylinderkopf';

/** Fills a database by SQL, as fast as the disk takes it. */
export async function fillBackoffice(
  { app }: Pick<TestApp, 'app'>,
  acme: TestOrganization,
  amounts: Amounts,
): Promise<void> {
  const { organizationId } = acme.operator;
  await makeTexts(app);
  const owner = { org: organizationId, app: acme.appId, host: acme.domain };
  await inSlices(app, amounts.batches, owner, batchRows);
  await fillEntries(app, acme, amounts);
  await inSlices(app, amounts.people, owner, userRows);
  await inSlices(app, amounts.messages / 4, owner, conversationRows);
  await inSlices(app, amounts.messages, owner, messageRows);
  await inSlices(app, Math.floor(amounts.messages / 40), owner, feedbackRows);
  await inSlices(app, amounts.messages / 2, owner, usageRows);
  await inSlices(app, amounts.requests, owner, requestRows);
  await inSlices(app, amounts.changes, owner, changeRows);
  await app.db.write.raw('drop table bench_texts');
  await app.db.write.raw('pragma wal_checkpoint(truncate)');
}

async function fillEntries(app: App, acme: TestOrganization, { entries }: Amounts) {
  const indexed = Math.min(entries, mostIndexed);
  for (let start = 0; start < indexed; start += 500) {
    const count = Math.min(500, indexed - start);
    const slice = Array.from({ length: count }, (_, at) => sampleEntry(acme, start + at, null));
    await inTransaction(app, (app) => addEntries(app, slice));
  }
  const owner = { org: acme.operator.organizationId, app: acme.appId, host: acme.domain };
  await inSlices(app, entries - indexed, owner, entryRows);
}

type Owner = Record<'org' | 'app' | 'host', number | string>;

/** Inserts the rows 0 to `count`, as `i`, by a statement that also has a text `t.text` and the moment `at` of the row. */
async function inSlices(app: App, count: number, owner: Owner, rows: string): Promise<void> {
  const [into = '', select = ''] = rows.split('=>');
  for (let start = 0; start < count; start += rowsAtOnce) {
    const end = Math.min(count, start + rowsAtOnce);
    await app.db.write.raw(
      `with recursive numbers (i) as (select :start union all select i + 1 from numbers where i + 1 < :end),
         t as (select i, text, title, :org as org, :app as app, :host as host,
           strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || ((:count - i) * ${days * 86_400}.0 / :count) || ' seconds') as at
         from numbers cross join bench_texts on bench_texts.id = i * 7919 % ${texts})
       insert into ${into} select ${select} from t`,
      { start, end, count, ...owner },
    );
  }
}

const idOf = (kind: string, number: string) => `printf('${kind}-0000-4000-8000-%012d', ${number})`;

const batchRows = `ingestion_batches (id, organization_id, app_id, domain, file_name, file_sha256, file_size, status,
  total_pages, processed_pages, error_code, error_message, created_by, created_at, updated_at, document) =>
  ${idOf('b0000000', 'i')}, org, app, host, title || ' ' || i || '.pdf', printf('%064x', i), 100000 + i,
  iif(i % 20 = 7, 'failed', 'completed'), 40, 40, iif(i % 20 = 7, 'damaged', null),
  iif(i % 20 = 7, 'The file is damaged.', null), 'operator', at, at, title || ' ' || i || '.pdf'`;

const entryRows = `knowledge_entries (uuid, organization_id, app_id, domain, scope, title, content, language, status,
  visibility, visibility_defaulted, batch_id, chunk_index, page_from, page_to, changed_by, created_at, updated_at) =>
  ${idOf('e0000000', 'i')}, org, app, host, 'domain', title || ' ' || i, text || ' ' || text || ' ' || text, 'en',
  iif(i < ${longBatch} or i % 20 = 0, 'draft', 'published'), iif(i % 5 = 0, 'internal', 'public'), 1,
  ${idOf('b0000000', `iif(i < ${longBatch}, 0, i / 10)`)}, i, i % 40 + 1, i % 40 + 1, 'operator', at, at`;

const userRows = `users (organization_id, email, email_key, display_name, role, created_at, updated_at) =>
  org, 'person' || i || '@acme.example', 'person' || i || '@acme.example', title || ' ' || i,
  iif(i % 50 = 0, 'backoffice', 'user'), at, at`;

const conversationRows = `conversations (id, organization_id, app_id, channel, visitor_id, title, created_at, updated_at) =>
  ${idOf('c0000000', 'i')}, org, app, iif(i % 10 = 0, 'api', 'widget'), 'visitor-' || (i / 3), title || ' ' || i || '?', at, at`;

/** Questions and replies in turn, in the order of their conversations. The table is empty, so that ids are known. */
const messageRows = `messages (conversation_id, role, content, status, language, mode, found, sources, unsupported,
  question_id, page_url, created_at, first_word_ms, total_ms) => ${idOf('c0000000', 'i / 4')}, iif(i % 2, 'assistant', 'user'),
  iif(i % 2, text, title || ' ' || (i / 4) || '?'), 'complete', iif(i % 8 < 2, 'de', 'en'),
  iif(i % 2, iif(i % 3 = 0, 'extractive', 'ollama'), null), iif(i % 2, i % 14 <> 1, null),
  iif(i % 2, '[{"type":"knowledge","uuid":"' || ${idOf('e0000000', 'i')} || '","title":"' || title || '"}]', '[]'),
  iif(i % 60 = 1, '[{"start":0,"end":20}]', '[]'), iif(i % 2, i, null), 'https://' || host || '/page/' || (i % 100), at,
  iif(i % 2, 300 + i * 7919 % 3000, null), iif(i % 2, 1000 + i * 7919 % 30000, null)`;

/** On one reply in twenty. */
const feedbackRows = `message_feedback (message_id, rating, created_at, updated_at) =>
  i * 40 + 2, iif(i % 4 = 0, 'down', 'up'), at, at`;

const requestRows = `knowledge_requests (organization_id, app_id, status, question, conversation_id,
  requester_visitor_id, created_at, updated_at) => org, app,
  iif(i % 4 = 0, 'open', iif(i % 4 = 1, 'dismissed', 'resolved')), title || ' ' || i || '?', ${idOf('c0000000', 'i')},
  'visitor-' || (i / 3), at, at`;

/** One for each reply. */
const usageRows = `usage_events (organization_id, app_id, message_id, channel, units, payer_organization_id, created_at) =>
  org, app, i * 2 + 2, iif(i % 20 = 0, 'api', 'widget'), 100 + i % 900, org, at`;

const changeRows = `audit_log (organization_id, actor, action, subject, before, after, created_at) =>
  org, 'user:' || (i % 20 + 1), 'entry.update', 'entry:' || (i % 1000), json_object('title', title),
  json_object('title', title || ' ' || i), at`;

/** Texts of some 400 characters and titles of some 50, whose words are as unevenly frequent as those of people. */
async function makeTexts(app: App): Promise<void> {
  const chance = createChance(7);
  const letters = 'enisratdhulcgmobwfkzpvjyxq';
  const word = () => {
    const length = 3 + Math.floor(chance() * 8);
    const pick = () => letters[Math.floor(chance() ** 1.6 * letters.length)] ?? 'e';
    return Array.from({ length }, pick).join('');
  };
  const vocabulary = Array.from({ length: 4000 }, word);
  const words = (count: number) =>
    Array.from({ length: count }, () => vocabulary[Math.floor(chance() ** 3 * 4000)] ?? '');
  await app.db.write.raw(
    'create table bench_texts (id integer primary key, title text, text text)',
  );
  const rows = Array.from({ length: texts }, (_, id) => {
    const special = [...(id % 20 === 3 ? [commonWord] : []), ...(id === 500 ? [rareWord] : [])];
    const text = [...words(60), ...special, `${randomUUID()}.`];
    return { id, title: [...words(6), ...special].join(' '), text: text.join(' ') };
  });
  await app.db.write.batchInsert('bench_texts', rows, 100);
}
