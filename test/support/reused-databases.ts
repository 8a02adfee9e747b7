import type { Knex } from 'knex';
import { openPostgres } from '../../src/platform/db/open-postgres.js';
import { createDatabase, template } from './postgres-server.js';

/*
 * Databases of PostgreSQL that tests of one process use one after the other, because making and dropping one takes
 * longer than most tests. A database is emptied before it is used again. It is dropped if a test has changed more than
 * rows, or still holds a connection.
 */

interface Made {
  url: string;
  drop(): Promise<void>;
  /** How often it was emptied. Deleted rows still take room until PostgreSQL removes them. */
  uses: number;
}

/** The state that a database begins in. */
interface Beginning {
  schema: string;
  /** Statements that bring back the rows and counters of the migrations. */
  refill: string;
}

const mostUses = 100;
const left = new Map<string, Made[]>();
const beginnings = new Map<string, Promise<Beginning>>();

/** A database as all migrations leave it. `leave` gives it to the next test. */
export async function takeDatabase(
  server: string,
): Promise<{ url: string; leave(): Promise<void> }> {
  const made = left.get(server)?.pop() ?? {
    ...(await createDatabase(server, { template })),
    uses: 0,
  };
  if (!beginnings.has(server)) beginnings.set(server, connected(made.url, readBeginning));
  const beginning = await beginnings.get(server);
  let isTaken = true;
  return {
    url: made.url,
    async leave() {
      // Some tests close their application twice.
      if (!isTaken) return;
      isTaken = false;
      made.uses += 1;
      // A database of a newer version takes no connection of this one.
      const isEmptied =
        made.uses < mostUses &&
        (await connected(made.url, (db) => empty(db, beginning)).catch(() => false));
      if (isEmptied) left.set(server, [...(left.get(server) ?? []), made]);
      else await made.drop();
    },
  };
}

async function connected<T>(url: string, work: (db: Knex) => Promise<T>): Promise<T> {
  const db = openPostgres(url, 1);
  try {
    return await work(db.write);
  } finally {
    await db.close();
  }
}

/** Changes with each definition of a table, an index, a constraint, a trigger or a function, and with a view or type. */
const schemaSql = `select concat_ws(' ',
  (select concat(count(*), '/', max(oid)) from pg_class),
  (select concat(count(*), '/', max(oid)) from pg_type),
  ${['pg_attribute', 'pg_attrdef', 'pg_constraint', 'pg_trigger', 'pg_proc', 'pg_index']
    .map((name) => `(select concat(count(*), '/', max(xmin::text::bigint)) from ${name})`)
    .join()}) as schema`;

const tables = `pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`;

async function readBeginning(db: Knex): Promise<Beginning> {
  const filled = await db.raw<{ name: string }[]>(
    `select oid::regclass::text as name from ${tables}`,
  );
  const refill: string[] = [];
  for (const { name } of filled) {
    const [held] = await db.raw<{ json: string | null }[]>(
      `select quote_literal(json_agg(held)) as json from ${name} held`,
    );
    if (typeof held?.json !== 'string') continue;
    refill.push(
      `insert into ${name} select * from json_populate_recordset(null::${name}, ${held.json})`,
    );
  }
  const counters = await db.raw<{ sql: string }[]>(
    `select format('select setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value) as sql
     from pg_sequences where last_value is not null`,
  );
  refill.push(...counters.map(({ sql }) => sql));
  return { schema: await readSchema(db), refill: refill.join(';\n') };
}

async function hasOthers(db: Knex): Promise<boolean> {
  const [others] = await db.raw<{ some: boolean }[]>(
    `select exists (select from pg_stat_activity where datname = current_database()
       and backend_type = 'client backend' and pid <> pg_backend_pid()) as some`,
  );
  return others?.some === true;
}

async function readSchema(db: Knex): Promise<string> {
  const [row] = await db.raw<{ schema: string }[]>(schemaSql);
  return row?.schema ?? '';
}

/** Deletes all rows and begins all counters anew, unless more than rows was changed or somebody is still connected. */
async function empty(db: Knex, beginning: Beginning | undefined): Promise<boolean> {
  // A closed connection ends a moment later.
  let looks = 100;
  while (looks > 0 && (await hasOthers(db))) looks -= 1;
  if (looks === 0 || (await readSchema(db)) !== beginning?.schema) return false;
  await db.raw(
    `begin;
     set local session_replication_role = replica;
     do $$ declare one regclass; begin
       for one in select oid from ${tables} loop execute format('delete from %s', one); end loop;
     end $$;
     select setval(seqrelid::regclass, seqstart, false) from pg_sequence
       join pg_sequences on format('%I.%I', schemaname, sequencename)::regclass = seqrelid
       where last_value is not null;
     ${beginning.refill};
     commit`,
  );
  return true;
}
