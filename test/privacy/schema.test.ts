import assert from 'node:assert/strict';
import { personalTables } from '../../src/privacy/personal-tables.js';
import { onSqlite, openTestApp, type TestApp } from '../support/test-app.js';
import { impersonalTables } from './impersonal-tables.js';
import { declaredColumns, isText, readSchema, type Table } from './plant-markers.js';

onSqlite(describe)('The declarations of personal data', () => {
  let test: TestApp;
  let schema: Table[];

  before(async () => {
    test = await openTestApp();
    schema = await readSchema(test.app.db);
  });
  after(() => test.close());

  it('name every table of the database, and no others', () => {
    const declared = new Set([
      ...personalTables.map(({ table }) => table),
      ...Object.keys(impersonalTables),
    ]);
    const real = schema.map(({ name }) => name);
    assert.deepEqual([...declared].sort(), real.sort());
    const both = personalTables.filter(({ table }) => table in impersonalTables);
    assert.deepEqual(both, []);
  });

  it('state for every text column whether it is personal', () => {
    for (const { name, columns } of schema) {
      const { personal, others } = declaredColumns(name);
      const declared = new Set([...personal, ...others]);
      // Times contain no words, and have similar names everywhere.
      const texts = columns.filter((one) => isText(one) && !isTime(one.name));
      const missing = texts.filter((one) => !declared.has(one.name)).map((one) => one.name);
      assert.deepEqual(
        missing,
        [],
        `${name}: say in personal-tables.ts or impersonal-tables.ts whose these are`,
      );
      const known = columns.map((one) => one.name);
      const unknown = [...declared].filter((column) => !known.includes(column));
      assert.deepEqual(unknown, [], `${name} has no such columns`);
    }
  });

  it('include every column that refers to a person', () => {
    for (const { name, columns, references } of schema) {
      const links = personalTables
        .filter(({ table }) => table === name)
        .flatMap(({ rows }) => rows.map(({ column }) => column));
      const leading = columns.filter(
        (column) =>
          ['users', 'end_users'].includes(references.get(column.name) ?? '') ||
          /visitor|(^|_)user_id$|_by$|^actor$/.test(column.name),
      );
      const left = leading.map((column) => column.name).filter((column) => !links.includes(column));
      // The UUID of a batch, and the name of a program.
      const others: Record<string, string[]> = {
        ingestion_batches: ['superseded_by', 'read_by'],
      };
      assert.deepEqual(left, others[name] ?? [], name);
    }
  });

  it('unlink only columns that refer to the person, and follow only rows that are deleted', () => {
    for (const { table, rows, erase } of personalTables) {
      const unlinked = typeof erase === 'object' && 'unlink' in erase ? erase.unlink : {};
      for (const column of Object.keys(unlinked)) {
        assert.ok(
          rows.some((link) => link.column === column),
          `${table}.${column}`,
        );
      }
      for (const link of rows) {
        if (!('of' in link)) continue;
        const own = personalTables.some((one) => one.table === link.of && one.erase === 'delete');
        assert.ok(own, `${table}.${link.column} leads to ${link.of}`);
      }
    }
  });

  it('withhold and show only existing columns', () => {
    for (const { table, withheld = [], shows = [], json = [], erase } of personalTables) {
      const columns = schema.find(({ name }) => name === table)?.columns.map(({ name }) => name);
      const blank = typeof erase === 'string' ? [] : Object.values(erase).flatMap(namesOf);
      for (const column of [...withheld, ...shows, ...json, ...blank]) {
        assert.ok(columns?.includes(column), `${table} has no column ${column}`);
      }
    }
  });
});

function isTime(column: string): boolean {
  return /_at$|^not_before$|^staff_until$|^tokens_valid_from$/.test(column);
}

function namesOf(value: string[] | Record<string, unknown>): string[] {
  return Array.isArray(value) ? value : Object.keys(value);
}
