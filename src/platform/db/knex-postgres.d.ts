/** What knex does not declare of its client of PostgreSQL. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';

  export default class PostgresClient extends Knex.Client {
    postProcessResponse(answer: unknown): unknown;
    /** Connects outside of the pool. */
    acquireRawConnection(): Promise<unknown>;
    _acquireOnlyConnection(): Promise<unknown>;
    /** False for a connection that the pool must not give out. */
    validateConnection(connection: unknown): Promise<boolean>;
    /** True for the client of a transaction. */
    transacting?: boolean;
    _query(connection: unknown, query: unknown): Promise<unknown>;
    prepBindings(bindings: unknown): unknown;
    columnCompiler(...column: unknown[]): ColumnCompiler;
  }

  interface ColumnCompiler {
    varchar: unknown;
    integer: unknown;
    floating: unknown;
    increments: unknown;
    bigincrements: unknown;
  }
}
