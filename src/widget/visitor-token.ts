import { z } from 'zod';
import { signVisitorToken } from '../federation/visitor-tokens.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';

export const visitorTokenReply = z
  .string()
  .optional()
  .describe(
    'Visitors only. To be sent as X-Visitor-Token from now on: without it nothing asked is shown again.',
  );

/** A fresh token for a returning visitor, renewed with each use; empty for other actors. */
export async function visitorTokenOf(app: App, actor: Actor): Promise<{ visitorToken?: string }> {
  if (actor.kind !== 'visitor') return {};
  const { token } = await signVisitorToken(app, actor);
  return { visitorToken: token };
}
