import { timingSafeEqual, createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { isLocal } from '../platform/http/client-address.js';
import { operation, type Operation } from '../platform/http/operation.js';
import type { Metrics } from './metrics.js';

export const metricsOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/metrics',
    tag: 'Service',
    summary: 'Measures for Prometheus: with metrics.token, or from this machine alone',
    access: 'anyone',
    replies: { 200: undefined },
    produces: 'text/plain',
    refusals: ['unauthenticated', 'forbidden', 'not_found'],
    async handle(app, { ctx }) {
      const metrics = ctx.state['metrics'] as Metrics | undefined;
      if (!app.config.metrics.enabled || metrics === undefined) {
        throw new AppError('not_found', 'There are no measures here: metrics.enabled is false.');
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
      'Only this machine itself may read the measures. Set metrics.token to read them from others.';
    throw new AppError('forbidden', sentence);
  }
  const given = /^Bearer +([^\s]+)$/i.exec(ctx.get('Authorization'))?.[1] ?? '';
  if (!timingSafeEqual(digest(given), digest(token))) {
    throw new AppError('unauthenticated', 'Send metrics.token as: Authorization: Bearer <token>.');
  }
}

/** Of one length, whatever was given, as the comparison in constant time needs it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
