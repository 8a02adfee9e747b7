import { setImmediate as nextTick } from 'node:timers/promises';
import { findUserOf } from '../accounts/users/accounts.repository.js';
import { recordChange } from '../audit/record-change.js';
import type { Message } from '../conversations/store/conversation.js';
import { readInternalEntries } from '../conversations/store/messages.repository.js';
import { withholdMessages } from '../conversations/store/withhold-messages.js';
import { type Actor, may, type Member, requirePermission } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { findOneself, findPerson, type FoundPerson } from './find-person.js';
import type { NamedPerson, PersonKeys } from './person.js';
import { type PersonalRow, readPersonalRows } from './personal-rows.repository.js';
import { type PersonalTable, personalTables } from './personal-tables.js';

export interface PersonExport {
  /** `user:7`. */
  person: string;
  /** Everybody who was found: `user:7`, `end_user:12`, `visitor:<uuid>`, `conversation:<uuid>`. */
  found: string[];
  /** The number of rows by file name. */
  rows: Record<string, number>;
  zip: Uint8Array;
}

/** Rows that are converted to JSON before other work gets a turn. */
const rowsAtOnce = 20;

/**
 * Exports all data about a person as a zip of JSON files: one for each table, and about.json. For admins, about anybody
 * of the organization; recorded in the audit log. Errors: those of findPerson.
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
  const { subject, recorded } = found;
  const after = { found: recorded, rows: sum(exported.rows) };
  await inTransaction(app, (app) =>
    recordChange(app, actor, { organizationId, action: 'person.export', subject, after }),
  );
  return exported;
}

/**
 * The same for a signed-in person's own account, without its linked identities. Errors: `forbidden` for the operator,
 * who has no account; `rate_limited` when too many exports wait.
 */
export async function exportOwnData(app: App, actor: Actor): Promise<PersonExport> {
  const member = requirePermission(actor, 'ask');
  if (member.kind !== 'user') {
    throw new AppError('forbidden', 'The operator has no account of its own. Sign in as a user.');
  }
  const user = await findUserOf(app, member.organizationId, member.userId);
  if (user === undefined) throw new AppError('not_found', 'This account has ended.');
  return writeExport(app, member, await findOneself(app, user));
}

async function writeExport(app: App, reader: Member, person: FoundPerson): Promise<PersonExport> {
  const end = app.exports.begin(reader);
  const work = () => write(app, reader, person);
  return app.exports.inMemory.run(work, String(reader.organizationId)).finally(end);
}

async function write(
  app: App,
  reader: Member,
  { name, found, keys, linkedAccount, linkedIdentities }: FoundPerson,
): Promise<PersonExport> {
  const zip = await openZip(app.clock.now());
  const rows: Record<string, number> = {};
  for (const table of personalTables) {
    const file = table.as ?? table.table;
    const count = await writeTable(app, reader, table, keys, zip.lazyFile(`${file}.json`));
    if (count > 0) rows[file] = count;
  }
  const about = {
    person: name,
    found,
    ...(linkedAccount === undefined ? {} : { linked_account: linkedAccount }),
    ...(linkedIdentities.length === 0 ? {} : { linked_identities: linkedIdentities }),
    organization_id: keys.organizationId,
    exported_at: timestamp(app.clock),
    rows,
  };
  zip.lazyFile('about.json')(`${JSON.stringify(about, undefined, 2)}\n`, true);
  return { person: name, found, rows, zip: zip.close() };
}

/** Writes the file of a table, with pauses for other work. Returns the number of rows; no rows, no file. */
async function writeTable(
  app: App,
  reader: Member,
  table: PersonalTable,
  keys: PersonKeys,
  write: WriteText,
): Promise<number> {
  let count = 0;
  for await (const slice of readPersonalRows(app, table, keys)) {
    const rows = await readable(app, reader, table, slice);
    for (let first = 0; first < rows.length; first += rowsAtOnce) {
      const some = rows.slice(first, first + rowsAtOnce).map((row) => shown(table, row));
      const texts = some.map((row) => JSON.stringify(row, undefined, 2));
      write(`${count === 0 ? '[' : ','}\n${texts.join(',\n')}`, false);
      count += some.length;
      await nextTick();
    }
  }
  if (count > 0) write('\n]\n', true);
  return count;
}

/** The rows as their reader may see them: without drafts of answers, and with messages withheld (withholdMessages). */
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
    internalEntries: readInternalEntries(
      JSON.parse(row['internal_entries'] as string) as Message['internalEntries'],
    ),
  }));
  const kept = await withholdMessages(app, reader, messages);
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

/** Appends to a file of a zip; `isLast` completes it. */
type WriteText = (text: string, isLast: boolean) => void;

interface OpenZip {
  /** A file that is created with its first text. Files are written one after the other. */
  lazyFile(name: string): WriteText;
  close(): Uint8Array;
}

/** A zip that is compressed piece by piece, so that other work gets a turn. */
async function openZip(mtime: Date): Promise<OpenZip> {
  const { Zip, ZipDeflate } = await import('fflate');
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  return {
    lazyFile(name) {
      let file: InstanceType<typeof ZipDeflate> | undefined;
      return (text, isLast) => {
        if (file === undefined) {
          file = new ZipDeflate(name);
          file.mtime = mtime;
          zip.add(file);
        }
        file.push(Buffer.from(text), isLast);
      };
    },
    close() {
      zip.end();
      return Buffer.concat(pieces);
    },
  };
}
