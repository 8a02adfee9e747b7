/** What knex does not declare of its client of PostgreSQL. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';

  export default class PostgresClient extends Knex.Client {
    columnCompiler(...column: unknown[]): ColumnCompiler;
  }

  interface ColumnCompiler {
    varchar: unknown;
    integer: unknown;
    increments: unknown;
    bigincrements: unknown;
  }
}
