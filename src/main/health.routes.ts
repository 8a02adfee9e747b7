import { z } from 'zod';
import { pendingMigrations } from '../platform/db/migrate.js';
import { messageOf } from '../platform/errors.js';
import { operation, type Operation } from '../platform/http/operation.js';

const readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.object({ server: z.string(), database: z.string(), model: z.string() }),
});

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
    summary: 'Whether requests can be served: the database answers, and no stop was asked for',
    access: 'anyone',
    replies: { 200: readiness, 503: readiness },
    async handle(app) {
      const database = await pendingMigrations(app.db).then(
        (pending) => (pending.length === 0 ? 'ok' : 'migrations are pending'),
        (error: unknown) => {
          app.log.error({ reason: messageOf(error) }, 'the database does not answer');
          return 'does not answer';
        },
      );
      // Knowledge is quoted where no model answers: its absence makes nobody unready.
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
