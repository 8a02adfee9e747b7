import { pause } from '../retry.js';

/** A connection of the driver. */
export interface DriverConnection {
  /** Errors: `Query read timeout` when there is no answer in time. */
  query(query: { text: string; query_timeout: number }): Promise<{ rows: { pid: number }[] }>;
  connection: { stream: { bytesRead: number; destroy(): void } };
}

/** Ends connections whose server has vanished. The system would keep them for a quarter of an hour. */
export interface ConnectionWatch {
  /** How long an answer may take before the server is asked about it, in milliseconds. */
  readonly quietMs: number;
  /** Remembers the process of the server that serves a new connection. */
  add(connection: DriverConnection): Promise<void>;
  /** Returns the result of a query, and ends its connection when the server does not work on it. */
  follow<T>(connection: DriverConnection, result: Promise<T>): Promise<T>;
  /** False for a connection that has been silent since another one was lost: it probably is lost too. */
  isTrusted(connection: DriverConnection): boolean;
}

/** How long the last bytes of an answer may take, in milliseconds. */
const graceMs = 500;

/**
 * When a query has got no byte for `quietMs`, asks the server over another connection whether it works on it: a slow
 * query is none of a lost connection. Without an answer to that either, the connection counts as lost.
 */
export function watchConnections(
  quietMs: number,
  connect: () => Promise<DriverConnection>,
): ConnectionWatch {
  const processes = new WeakMap<DriverConnection, number>();
  const heardAt = new WeakMap<DriverConnection, number>();
  let lostAt = -Infinity;
  let asking: Promise<Set<number>> | undefined;

  async function askOf(connection: DriverConnection, text: string): Promise<number[]> {
    const { rows } = await connection.query({ text, query_timeout: quietMs });
    return rows.map(({ pid }) => pid);
  }

  /** The processes of the server that work on a query. */
  async function listWorking(): Promise<Set<number>> {
    const connection = await connect();
    try {
      const active = `select pid from pg_stat_activity where state in ('active', 'disabled')`;
      return new Set(await askOf(connection, active));
    } finally {
      connection.connection.stream.destroy();
    }
  }

  async function isWorking(connection: DriverConnection): Promise<boolean> {
    asking ??= listWorking().finally(() => (asking = undefined));
    try {
      return (await asking).has(processes.get(connection) ?? 0);
    } catch (error) {
      // An answer all the same, such as that it has no room for another connection.
      return /^\d/.test(String((error as { code?: unknown }).code));
    }
  }

  return {
    quietMs,
    async add(connection) {
      const [pid = 0] = await askOf(connection, 'select pg_backend_pid() as pid');
      processes.set(connection, pid);
      heardAt.set(connection, performance.now());
    },
    async follow(connection, result) {
      const { stream } = connection.connection;
      let read = stream.bytesRead;
      let isOver = false;
      const isQuiet = () => !isOver && stream.bytesRead === read;
      const look = async () => {
        if (isQuiet() && !(await isWorking(connection)) && isQuiet()) {
          await pause(graceMs);
          if (isQuiet()) {
            lostAt = performance.now();
            stream.destroy();
          }
        }
        read = stream.bytesRead;
        if (!isOver) timer = setTimeout(() => void look(), quietMs);
      };
      let timer = setTimeout(() => void look(), quietMs);
      try {
        const value = await result;
        heardAt.set(connection, performance.now());
        return value;
      } finally {
        isOver = true;
        clearTimeout(timer);
      }
    },
    isTrusted: (connection) => (heardAt.get(connection) ?? Infinity) >= lostAt,
  };
}
