import type { Knex } from 'knex';
import type { App } from '../platform/app.js';
import { personNames, type PersonKeys } from './person.js';
import { personalTables, type PersonalTable, type PersonLink } from './personal-tables.js';

type Store = Pick<App, 'db'>;
export type PersonalRow = Record<string, unknown>;

/** A person's rows of a table, all columns, the oldest first. */
export async function readPersonalRows(
  app: Store,
  table: PersonalTable,
  keys: PersonKeys,
): Promise<PersonalRow[]> {
  const rows = (await ownRows(app, table, keys).select('*')) as PersonalRow[];
  const timeOf = ({ created_at: time }: PersonalRow) => (typeof time === 'string' ? time : '');
  return rows.toSorted((one, other) => timeOf(one).localeCompare(timeOf(other)));
}

/** Does what the table's declaration says to a person's rows. Answers how many were deleted or changed. */
export async function erasePersonalRows(
  app: Store,
  table: PersonalTable,
  keys: PersonKeys,
): Promise<number> {
  const { erase } = table;
  if (erase === 'keep') return 0;
  if (erase === 'delete') return ownRows(app, table, keys).delete();
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

/** Whether anything is stored under the keys. */
export async function hasPersonalRows(app: Store, keys: PersonKeys): Promise<boolean> {
  for (const table of personalTables) {
    if ((await ownRows(app, table, keys).first(app.db.read.raw('1'))) !== undefined) return true;
  }
  return false;
}

function ownRows(app: Store, table: PersonalTable, keys: PersonKeys): Knex.QueryBuilder {
  // Without a condition the rows of everybody would be meant.
  if (table.rows.length === 0) throw new Error(`nothing leads from ${table.table} to a person`);
  const rows: Knex.QueryBuilder = app.db.read(table.table);
  if (table.organization === true) void rows.where({ organization_id: keys.organizationId });
  return rows.where((any) => {
    for (const link of table.rows) void any.orWhere((one) => lead(app, one, link, keys));
  });
}

/** The condition that a link leads from a row to the person. */
function lead(app: Store, rows: Knex.QueryBuilder, link: PersonLink, keys: PersonKeys): void {
  const { column } = link;
  if ('mentions' in link) {
    // None means no row, and not every one.
    void rows.whereRaw('1 = 0');
    for (const piece of keys.mentions) void rows.orWhereRaw('instr(??, ?) > 0', [column, piece]);
  } else if ('of' in link) {
    const parents = ownRows(app, ownTable(link.of), keys);
    const named = app.db.read.raw(`? || id`, [link.prefix ?? '']);
    void rows.whereIn(column, parents.select(link.prefix === undefined ? 'id' : named));
  } else if (link.is === 'email') {
    const folded = keys.emails.map((email) => email.toLowerCase());
    void rows.whereIn(column, keys.emails);
    for (const email of folded) void rows.orWhereRaw('lower(??) = ?', [column, email]);
  } else {
    const values = {
      user: keys.userIds,
      end_user: keys.endUserIds,
      visitor: keys.visitorIds,
      name: personNames(keys),
    }[link.is];
    void rows.whereIn(column, values as (string | number)[]);
  }
}

/** Of the declarations of a table that by which its rows are the person's own. */
function ownTable(name: string): PersonalTable {
  const own = personalTables.find(({ table, erase }) => table === name && erase === 'delete');
  if (own === undefined) throw new Error(`no rows of ${name} are declared as a person's own`);
  return own;
}
