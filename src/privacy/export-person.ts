import { recordChange } from '../audit/record-change.js';
import { withholdFrom } from '../conversations/withhold-from.js';
import type { Message } from '../conversations/conversation.js';
import { readInternalEntries } from '../conversations/messages.repository.js';
import { may, requirePermission, type Actor, type Member } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { findPerson, type FoundPerson } from './find-person.js';
import type { NamedPerson } from './person.js';
import { readPersonalRows, type PersonalRow } from './personal-rows.repository.js';
import { personalTables, type PersonalTable } from './personal-tables.js';

export interface PersonExport {
  /** `user:7`. */
  person: string;
  /** Rows by the name of their file. */
  rows: Record<string, number>;
  zip: Uint8Array;
}

/**
 * All that an organization stores about a person, as a zip of JSON files: one for each table, and about.json. For
 * admins, about anybody of the organization; it stands in the record of changes. Refuses as findPerson does.
 */
export async function exportPerson(
  app: App,
  actor: Actor,
  named: NamedPerson,
): Promise<PersonExport> {
  const member = requirePermission(actor, 'administer');
  const { organizationId } = member;
  const found = await findPerson(app, organizationId, named);
  const exported = await writeExport(app, member, found);
  // A visitor's name is the id that their browser holds: the record is kept for longer than they may be.
  const subject =
    found.user === undefined && found.keys.visitorIds.length > 0 ? 'visitor' : found.name;
  const after = { rows: sum(exported.rows) };
  await inTransaction(app, (app) =>
    recordChange(app, actor, { organizationId, action: 'person.export', subject, after }),
  );
  return exported;
}

/** The same for a signed-in person about themselves. Refuses with `forbidden` the operator, who has no account. */
export async function exportOwnData(app: App, actor: Actor): Promise<PersonExport> {
  const member = requirePermission(actor, 'ask');
  if (member.kind !== 'user') {
    throw new AppError('forbidden', 'The operator has no account of its own. Sign in as a user.');
  }
  const named = { kind: 'user', id: String(member.userId) } as const;
  return writeExport(app, member, await findPerson(app, member.organizationId, named));
}

async function writeExport(
  app: App,
  reader: Member,
  { name, keys, linkedAccount }: FoundPerson,
): Promise<PersonExport> {
  const files: Record<string, PersonalRow[]> = {};
  for (const table of personalTables) {
    const rows = await readable(app, reader, table, await readPersonalRows(app, table, keys));
    if (rows.length > 0) files[table.as ?? table.table] = rows.map((row) => shown(table, row));
  }
  const rows = Object.fromEntries(
    Object.entries(files).map(([file, { length }]) => [file, length]),
  );
  const about = {
    person: name,
    ...(linkedAccount === undefined ? {} : { linked_account: linkedAccount }),
    organization_id: keys.organizationId,
    exported_at: timestamp(app.clock),
    rows,
  };
  const { strToU8, zipSync } = await import('fflate');
  const entries = Object.entries({ about, ...files }).map(([file, content]) => [
    `${file}.json`,
    strToU8(`${JSON.stringify(content, undefined, 2)}\n`),
  ]);
  const zip = zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>, {
    mtime: app.clock.now(),
  });
  return { person: name, rows, zip };
}

/** What a reader may be shown of the rows: the draft of an answer is no answer yet, and see withholdFrom. */
async function readable(
  app: App,
  reader: Member,
  { table, as }: PersonalTable,
  rows: PersonalRow[],
): Promise<PersonalRow[]> {
  if (table === 'knowledge_requests' && as === undefined) {
    return rows.map((row) => (row['status'] === 'resolved' ? row : { ...row, response: null }));
  }
  if (table !== 'messages' || may(reader, 'conversations.read_all')) return rows;
  const messages = rows.map((row) => ({
    row,
    content: row['content'] as string,
    language: row['language'] as Message['language'],
    sources: JSON.parse(row['sources'] as string) as Message['sources'],
    unsupported: JSON.parse(row['unsupported'] as string) as Message['unsupported'],
    internalEntries: readInternalEntries(row['internal_entries'] as string),
  }));
  const kept = await withholdFrom(app, reader, messages);
  return kept.map(({ row, content, sources, unsupported }) => ({
    ...row,
    content,
    sources: JSON.stringify(sources),
    unsupported: JSON.stringify(unsupported),
  }));
}

function shown({ shows, withheld, json }: PersonalTable, row: PersonalRow): PersonalRow {
  const columns = Object.entries(row).filter(
    ([column]) => (shows?.includes(column) ?? true) && withheld?.includes(column) !== true,
  );
  return Object.fromEntries(
    columns.map(([column, value]) => {
      const isJson = typeof value === 'string' && json?.includes(column) === true;
      return [column, isJson ? (JSON.parse(value) as unknown) : value];
    }),
  );
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((all, count) => all + count, 0);
}
