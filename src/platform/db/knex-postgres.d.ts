/** What knex does not declare of its client of PostgreSQL. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';

  export default class PostgresClient extends Knex.Client {
    postProcessResponse(answer: unknown): unknown;
    /** Connects outside of the pool. */
    acquireRawConnection(): Promise<PostgresConnection>;
    destroyRawConnection(connection: PostgresConnection): Promise<void>;
    _acquireOnlyConnection(): Promise<PostgresConnection>;
    /** True for the client of a transaction. */
    transacting?: boolean;
    _query(connection: unknown, query: unknown): Promise<unknown>;
    prepBindings(bindings: unknown): unknown;
    columnCompiler(...column: unknown[]): ColumnCompiler;
  }

  /** A connection of the driver, before it is in the pool. */
  export interface PostgresConnection {
    on(event: 'notification', tell: (notification: { payload?: string }) => void): void;
    once(event: 'end', tell: () => void): void;
    end(): Promise<void>;
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
