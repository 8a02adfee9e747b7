import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openWorker } from '../ingestion/open-worker.js';
import type { IngestionWorker } from '../ingestion/run-worker.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError, messageOf } from '../platform/errors.js';
import { createServer } from './create-server.js';

export interface RunningServer {
  /** Where it answers, e.g. http://127.0.0.1:8080 */
  url: string;
  /** Takes nothing new, lets running requests end (drain_timeout_ms at most), gives leases back. */
  stop(): Promise<void>;
}

/**
 * Serves the API, and works on ingestion where ingestion.worker is on. Refuses with `port_in_use`, and with
 * `database_readonly` a database that nothing could be stored in.
 */
export async function serve(app: App): Promise<RunningServer> {
  await inTransaction(app, () => Promise.resolve());
  const handle = createServer(app).callback();
  // Of those whose client has gone away too: their work must end before the database is closed.
  const running = new Set<Promise<void>>();
  const server = createHttpServer((request, response) => {
    const work = handle(request, response).finally(() => running.delete(work));
    running.add(work);
  });
  await listen(server, app);
  const worker: IngestionWorker | undefined = app.config.ingestion.worker
    ? openWorker(app)
    : undefined;
  const { port } = server.address() as AddressInfo;
  const { host } = app.config.server;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async stop() {
      await Promise.all([drain(server, app.config.server.drain_timeout_ms), worker?.stop()]);
      await Promise.allSettled(running);
    },
  };
}

async function listen(server: Server, app: App): Promise<void> {
  const { host, port } = app.config.server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        const message = `Port ${port} on ${host} is in use. Stop what listens there, or set server.port (ASSISTANT_SERVER_PORT).`;
        reject(new AppError('port_in_use', message));
      } else if (
        error.code === 'EACCES' ||
        error.code === 'EADDRNOTAVAIL' ||
        error.code === 'ENOTFOUND'
      ) {
        reject(
          new AppError(
            'invalid_config',
            `server.host and server.port: ${host}:${port} can't be listened on (${messageOf(error)}).`,
          ),
        );
      } else reject(error);
    });
    server.listen(port, host, resolve);
  });
}

async function drain(server: Server, timeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
