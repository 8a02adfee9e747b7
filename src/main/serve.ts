import { setMaxListeners } from 'node:events';
import {
  createServer as createHttpServer,
  ServerResponse,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { findKeyFault } from '../accounts/users/stored-secrets.js';
import { openWorker } from '../ingestion/worker/run-worker.js';
import type { BackgroundWorker } from '../platform/workers/repeat-until-stopped.js';
import { startDeliveryWorker } from '../notifications/deliver-due.job.js';
import { createSearchThread } from '../search/search-in-thread.js';
import { startSourceWorkers } from '../sources/run-due-sources.job.js';
import { startEmbeddingWorker } from '../search/vectors/embed-passages.job.js';
import { finishAnswers } from '../conversations/answering/running-answers.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { clientAddress } from '../platform/http/client-address.js';
import { AppError, messageOf } from '../platform/errors.js';
import { startRetentionWorker } from '../privacy/enforce-retention.job.js';
import { acceptSockets } from '../widget/accept-sockets.js';
import { boundPipelines, endUnread, refuseUnreadable, routeUpgrades } from './guard-connections.js';
import { createServer } from './create-server.js';
import type { Metrics } from './metrics.js';

export interface RunningServer {
  /** The address, e.g. http://127.0.0.1:8080 */
  url: string;
  metrics: Metrics;
  /**
   * Stops in this order: reports "not ready", refuses new work after stop_delay_ms, waits for running answers (at most
   * drain_timeout_ms), ends event streams, and releases leases.
   */
  stop(): Promise<void>;
}

/**
 * Serves the API. Also ingests when ingestion.worker is on, sends messages when notifications.worker is on,
 * reads sources when sources.worker is on, embeds passages with an embedding model, and enforces retention. Errors: `port_in_use`; `database_readonly` for a database
 * that can't be written.
 */
export async function serve(app: App): Promise<RunningServer> {
  await inTransaction(app, () => Promise.resolve());
  const keyFault = await findKeyFault(app);
  if (keyFault !== undefined) app.log.warn(keyFault);
  const stopping = new AbortController();
  // Every request that waits listens to it.
  setMaxListeners(0, stopping.signal);
  let closing = false;
  const searchThread = createSearchThread(app);
  const served = { ...app, stopping: stopping.signal, searchThread };
  const { koa, limits, metrics } = createServer(served, () => closing);
  const handle = koa.callback();
  const sockets = await acceptSockets(served, {
    limits,
    // The client's address as for requests: behind trusted proxies, the one that they report.
    addressOf: (request) => clientAddress(koa.createContext(request, new ServerResponse(request))),
  });
  // Includes requests whose client is gone: their work must end before the database is closed.
  const running = new Set<Promise<void>>();
  const silent = new Set<Socket>();
  const answer = boundPipelines((request, response) => {
    silent.delete(request.socket);
    const work = handle(request, response).finally(() => running.delete(work));
    running.add(work);
  });
  const server = createHttpServer(timeouts(app), answer);
  refuseUnreadable(server);
  endUnread(server, app.config.server.stall_timeout_ms);
  routeUpgrades(server, answer, (request, socket, head) => {
    silent.delete(request.socket);
    sockets.upgrade(request, socket, head);
  });
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  await listen(server, app);
  const worker: BackgroundWorker | undefined = app.config.ingestion.worker
    ? openWorker(app)
    : undefined;
  const sender = app.config.notifications.worker ? startDeliveryWorker(app) : undefined;
  const reader = app.config.sources.worker ? startSourceWorkers(app) : undefined;
  const embedder = startEmbeddingWorker(app);
  const keeper = startRetentionWorker(app);
  warmUp(app, stopping.signal);
  const { port } = server.address() as AddressInfo;
  const { host, stop_delay_ms, drain_timeout_ms } = app.config.server;
  const stop = async () => {
    stopping.abort();
    const workers = [worker, sender, reader, embedder, keeper];
    const worked = Promise.all(workers.map(async (one) => one?.stop()));
    if (stop_delay_ms > 0) await wait(stop_delay_ms);
    closing = true;
    // Answers whose reader lost the connection are finished too. Cancel the rest while connections still exist, so that
    // readers learn how their answer ended.
    const lastWordsMs = Math.min(1000, drain_timeout_ms / 2);
    const answered = finishAnswers(app, drain_timeout_ms - lastWordsMs);
    const talked = sockets.stop(drain_timeout_ms);
    await Promise.all([drain(server, silent, drain_timeout_ms), talked, answered, worked]);
    // Without a connection a request has little left to do. One that hangs must not keep the process alive.
    const left = new AbortController();
    const patience = wait(Math.min(5000, drain_timeout_ms), undefined, left);
    await Promise.race([Promise.allSettled(running), patience]);
    left.abort();
    // Answers to questions that were just being stored: nobody is left to read them.
    await finishAnswers(app, 0);
    await searchThread.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    metrics,
    stop: () => (stopped ??= stop()),
  };
}

/** Loads the chat model in parallel with the start, if configured. A failure stops nothing. */
function warmUp(app: App, signal: AbortSignal): void {
  if (!app.config.ollama.warm_up || app.config.answers.mode === 'extractive') return;
  app.models.warm(signal).then(
    () => app.log.info({ model: app.config.ollama.chat_model }, 'the model is loaded'),
    (error: unknown) => {
      if (!signal.aborted) app.log.warn({ reason: messageOf(error) }, 'the model was not loaded');
    },
  );
}

/**
 * Cuts off clients that stall, but not slow ones. Answers have no time limit: a model may think, and an event stream
 * may last. Connections live slightly longer than the minute of most load balancers, which would otherwise write a
 * request into a closing connection.
 */
function timeouts(app: App): ServerOptions {
  const { stall_timeout_ms, request_timeout_ms } = app.config.server;
  return {
    headersTimeout: Math.min(stall_timeout_ms, request_timeout_ms),
    requestTimeout: request_timeout_ms,
    connectionsCheckingInterval: Math.min(1000, Math.ceil(stall_timeout_ms / 4)),
    // The application checks it and answers with a problem.
    requireHostHeader: false,
    keepAliveTimeout: 65_000,
    // A query may contain the longest accepted text: 8,000 characters of nine bytes each in percent-encoding
    // (%E6%97%A5), besides Node's default for all else.
    maxHeaderSize: 8000 * 9 + 16 * 1024,
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
            `server.host and server.port: can't listen on ${host}:${port} (${messageOf(error)}).`,
          ),
        );
      } else reject(error);
    });
    server.listen(port, host, resolve);
  });
}

/**
 * Resolves when the last connection has ended. Idle ones end immediately, including those without any request yet
 * (browsers and balancers open some in advance); the others end with their answer, or at the timeout.
 */
async function drain(server: Server, silent: Set<Socket>, timeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    // An event stream may have begun before it was the last one on its connection.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
    // Node counts a connection as idle only after its first request.
    silent.forEach((socket) => socket.destroy());
  });
}
