import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { z } from 'zod';
import type { App } from '../platform/app.js';
import { pendingMigrations } from '../platform/db/migrate.js';
import { AppError, messageOf } from '../platform/errors.js';
import { isLocal } from '../platform/http/client-address.js';
import { operation, type Operation } from '../platform/http/operation.js';
import type { Metrics } from './metrics.js';

export const metricsOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/metrics',
    tag: 'Service',
    summary: 'Metrics for Prometheus: with metrics.token, or only from this machine',
    access: 'anyone',
    replies: { 200: undefined },
    produces: 'text/plain',
    refusals: ['unauthenticated', 'forbidden', 'not_found'],
    async handle(app, { ctx }) {
      const metrics = ctx.state['metrics'] as Metrics | undefined;
      if (!app.config.metrics.enabled || metrics === undefined) {
        throw new AppError('not_found', 'Metrics are off: metrics.enabled is false.');
      }
      requireReader(app, ctx);
      const headers = { 'Content-Type': metrics.contentType };
      return { body: await metrics.render(), headers };
    },
  }),
];

function requireReader(app: App, ctx: Context): void {
  const { token } = app.config.metrics;
  if (token === null) {
    if (isLocal(ctx)) return;
    const sentence =
      'Only this machine may read the metrics, at localhost. Set metrics.token to read them from other machines.';
    throw new AppError('forbidden', sentence);
  }
  const given = /^Bearer +([^\s]+)$/i.exec(ctx.get('Authorization'))?.[1] ?? '';
  if (!timingSafeEqual(digest(given), digest(token))) {
    throw new AppError('unauthenticated', 'Send metrics.token as: Authorization: Bearer <token>.');
  }
}

/** A hash of fixed length, as the comparison in constant time needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.object({ server: z.string(), database: z.string(), model: z.string() }),
});

/** `ok`, or why nothing can be read or stored. After a write that failed, or on a full disk, it tries one. */
async function stateOfDatabase(app: App): Promise<string> {
  try {
    if ((await pendingMigrations(app.db)).length > 0) return 'migrations are pending';
    const isFull = app.db.dialect.files?.isDiskFull(app.config.database.path) ?? false;
    if (app.db.trouble === undefined && !isFull) return 'ok';
    await app.db.dialect.tryWriting(app.db.write);
    app.db.trouble = undefined;
    return 'ok';
  } catch (error) {
    const { code } = app.db.dialect.troubleOf(error) ?? (error as Partial<AppError>);
    if (code === 'database_newer') return 'is of a newer version';
    if (code === 'no_space') return 'its disk is full';
    if (code === 'database_readonly') return 'can’t be written';
    app.log.error({ reason: messageOf(error) }, 'the database does not answer');
    return code === 'database_damaged' ? 'is damaged' : 'does not answer';
  }
}

export const healthOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/health/live',
    tag: 'Service',
    summary: 'Whether the process answers',
    access: 'anyone',
    replies: { 200: z.object({ status: z.literal('live') }) },
    handle: () => Promise.resolve({ body: { status: 'live' } }),
  }),
  operation({
    method: 'get',
    path: '/health/ready',
    tag: 'Service',
    summary: 'Whether requests can be served: the database answers, and the server is not stopping',
    access: 'anyone',
    replies: { 200: readiness, 503: readiness },
    async handle(app) {
      const database = await stateOfDatabase(app);
      // Without a model, knowledge is quoted, so the server stays ready.
      const status = await app.models.status();
      const model = status.reachable && status.chatModelInstalled ? 'ok' : 'not available';
      const server = app.stopping.aborted ? 'is stopping' : 'ok';
      const ready = database === 'ok' && server === 'ok';
      const checks = { server, database, model };
      const body = { status: ready ? 'ready' : 'not_ready', checks };
      return { status: ready ? 200 : 503, body };
    },
  }),
];
