/** What knex does not declare of its client of PostgreSQL. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';
  import type { ListeningConnection } from './notices.js';

  export default class PostgresClient extends Knex.Client {
    postProcessResponse(answer: unknown): unknown;
    acquireRawConnection(): Promise<PostgresConnection>;
    destroyRawConnection(connection: PostgresConnection): Promise<void>;
    _acquireOnlyConnection(): Promise<PostgresConnection>;
    /** True for the client of a transaction. */
    transacting?: boolean;
    _query(connection: unknown, query: unknown): Promise<unknown>;
    /** Connects outside of the pool. */
    acquireRawConnection(): Promise<ListeningConnection>;
    prepBindings(bindings: unknown): unknown;
    columnCompiler(...column: unknown[]): ColumnCompiler;
  }

  /** A connection of the driver, before it is in the pool. */
  export interface PostgresConnection {
    /** Of two statements. */
    query(sql: string): Promise<[{ rows: unknown[] }, { rows: unknown[] }]>;
  }

  interface ColumnCompiler {
    varchar: unknown;
    integer: unknown;
    floating: unknown;
    increments: unknown;
    bigincrements: unknown;
  }
}
