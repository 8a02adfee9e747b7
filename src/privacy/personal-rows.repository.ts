import type { Knex } from 'knex';
import type { WithDb } from '../platform/app.js';
import { mentionsOf, type PersonKeys, personNames } from './person.js';
import { type PersonalTable, personalTables, type PersonLink } from './personal-tables.js';

export type PersonalRow = Record<string, unknown>;

/** Rows per slice; other work gets a turn between slices. */
const sliceRows = 200;

/** A person's rows of a table with all columns, in slices, in order of creation. */
export async function* readPersonalRows(
  app: WithDb,
  table: PersonalTable,
  keys: PersonKeys,
): AsyncGenerator<PersonalRow[]> {
  const { dialect, read } = app.db;
  const place = await dialect.rowPlace(read, table.table);
  const places = place.map((column, index) => `${column} as place_${index}`);
  const isPlace = ([name]: [string, unknown]) => /^place_\d+$/.test(name);
  for (let last: unknown[] = []; ;) {
    const query = ownRows(app, table, keys).orderBy(place).limit(sliceRows);
    const after = `(${place.join()}) > (${place.map(() => '?').join()})`;
    if (last.length > 0) void query.whereRaw(after, last as string[]);
    const rows = await query.select<PersonalRow[]>('*', ...places);
    if (rows.length === 0) return;
    last = Object.entries(rows.at(-1) ?? {})
      .filter(isPlace)
      .map(([, value]) => value);
    yield rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter((field) => !isPlace(field))),
    );
    if (rows.length < sliceRows) return;
  }
}

/** Erases a person's rows as the table declares. Returns the number of deleted or changed rows. */
export async function erasePersonalRows(
  app: WithDb,
  table: PersonalTable,
  keys: PersonKeys,
): Promise<number> {
  const { erase } = table;
  if (erase === 'keep') return 0;
  if (erase === 'delete') return ownRows(app, table, keys).delete();
  if ('unname' in erase) return unname(app, table, erase.unname, keys);
  if ('blank' in erase) {
    const blank = Object.fromEntries(erase.blank.map((column) => [column, null]));
    const rows = ownRows(app, table, keys);
    void rows.where((any) => {
      for (const column of erase.blank) void any.orWhereNotNull(column);
    });
    return rows.update(blank);
  }
  let changed = 0;
  for (const [column, value] of Object.entries(erase.unlink)) {
    const links = table.rows.filter((link) => link.column === column);
    changed += await ownRows(app, { ...table, rows: links }, keys).update({ [column]: value });
  }
  return changed;
}

/** Removes the person from JSON that also concerns others. */
async function unname(
  app: WithDb,
  table: PersonalTable,
  columns: string[],
  keys: PersonKeys,
): Promise<number> {
  let changed = 0;
  for await (const rows of readPersonalRows(app, table, keys)) {
    for (const row of rows) {
      const fields = columns.map((column) => [column, withoutPerson(row[column], keys)] as const);
      changed += await app.db
        .write(table.table)
        .where({ id: row['id'] })
        .update(Object.fromEntries(fields));
    }
  }
  return changed;
}

function withoutPerson(text: unknown, keys: PersonKeys): unknown {
  if (typeof text !== 'string') return text;
  const fields = JSON.parse(text) as Record<string, unknown>;
  const isOneOf = (ids: number[], id: unknown) => typeof id === 'number' && ids.includes(id);
  if (isOneOf(keys.userIds, fields['user_id'])) fields['user_id'] = null;
  if (isOneOf(keys.endUserIds, fields['end_user_id'])) {
    Object.assign(fields, { end_user_id: null, external_id: null });
  }
  return JSON.stringify(fields);
}

/** True when any data exists for these keys. */
export async function hasPersonalRows(app: WithDb, keys: PersonKeys): Promise<boolean> {
  for (const table of personalTables) {
    if ((await ownRows(app, table, keys).first(app.db.read.raw('1'))) !== undefined) return true;
  }
  return false;
}

function ownRows(app: WithDb, table: PersonalTable, keys: PersonKeys): Knex.QueryBuilder {
  // Without a condition, the query would select everybody's rows.
  if (table.rows.length === 0) throw new Error(`nothing leads from ${table.table} to a person`);
  const rows: Knex.QueryBuilder = app.db.read(table.table);
  const { actions, organization } = table;
  const here = { organization_id: keys.organizationId };
  if (organization === true) void rows.where(here);
  else if (organization !== undefined) {
    const { column, of } = organization;
    void rows.whereIn(column, app.db.read(of).where(here).select('id'));
  }
  if (actions !== undefined && 'only' in actions) void rows.whereIn('action', actions.only);
  if (actions !== undefined && 'except' in actions) void rows.whereNotIn('action', actions.except);
  return rows.where((any) => {
    for (const link of table.rows) void any.orWhere((one) => lead(app, one, link, keys));
  });
}

/** The condition that a link connects a row with the person. */
function lead(app: WithDb, rows: Knex.QueryBuilder, link: PersonLink, keys: PersonKeys): void {
  const { column } = link;
  if ('mentions' in link) {
    // No keys mean no row, not every row.
    void rows.whereRaw('1 = 0');
    for (const piece of mentionsOf(keys)) {
      void rows.orWhereRaw(`replace(??, ?, '') <> ??`, [column, piece, column]);
    }
  } else if ('of' in link) {
    const parents = ownRows(app, ownTable(link.of), keys);
    const named = app.db.read.raw(`? || id`, [link.prefix ?? '']);
    void rows.whereIn(column, parents.select(link.prefix === undefined ? 'id' : named));
  } else if (link.is === 'email') {
    void rows.whereIn(column, keys.emails);
    for (const email of keys.emails) {
      void rows.orWhereRaw('lower(??) = ?', [column, email.toLowerCase()]);
    }
  } else {
    const values = {
      user: keys.userIds,
      end_user: keys.endUserIds,
      visitor: keys.visitorIds,
      conversation: keys.conversationIds,
      name: personNames(keys),
    }[link.is];
    void rows.whereIn(column, values as (string | number)[]);
  }
}

/** The declaration of a table by which its rows belong to the person. */
export function ownTable(name: string): PersonalTable {
  const own = personalTables.find(({ table, erase }) => table === name && erase === 'delete');
  if (own === undefined) throw new Error(`no rows of ${name} are declared as a person's own`);
  return own;
}

interface WorkRow {
  id: number;
  erased: number;
  rewritten: number;
}

/** Records, in the transaction of an erasure, that the file must be rewritten. */
export async function noteErased(app: WithDb): Promise<void> {
  await app.db.write<WorkRow>('erasure_work').where({ id: 1 }).increment('erased');
}

/** The latest erasure since the last rewrite of the file; undefined when no rewrite is due. */
export async function findRewriteDue(app: WithDb): Promise<number | undefined> {
  const row = await app.db.read<WorkRow>('erasure_work').where({ id: 1 }).first();
  return row === undefined || row.rewritten >= row.erased ? undefined : row.erased;
}

export async function noteRewritten(app: WithDb, erased: number): Promise<void> {
  await app.db.write('erasure_work').where({ id: 1 }).update({ rewritten: erased });
}
