import { randomUUID } from 'node:crypto';
import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { dayMs, timestamp } from '../../platform/clock.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { findUser, findUserByEmail } from './accounts.repository.js';
import { signAccessToken } from '../tokens/access-tokens.js';
import { presentApiToken } from './accounts.schema.js';
import { insertApiToken, type ApiToken } from './api-tokens.repository.js';

export interface MintedToken {
  token: string;
  name: string;
  email: string;
  expiresAt: string | null;
  record: ApiToken;
}

export const maxTokenDays = 36_500;

/**
 * Creates a long-lived, named, revocable bearer token for a user of the actor's organization, e.g. for CI. It has
 * exactly that user's rights. Errors: `not_found` for a missing or disabled user.
 */
export async function mintToken(
  app: App,
  actor: Actor,
  input: ({ email: string } | { userId: number }) & { name: string; days: number | undefined },
): Promise<MintedToken> {
  const { organizationId } = requirePermission(actor, 'administer');
  const name = input.name.trim();
  const { days } = input;
  if (name === '')
    throw new AppError('invalid_request', 'The token needs a name.', {
      reason: { is: 'token_name' },
    });
  if (days !== undefined && days > maxTokenDays) {
    throw new AppError('invalid_request', `A token lives ${maxTokenDays} days at most.`, {
      reason: { is: 'token_days', most: maxTokenDays },
    });
  }
  const user = await ('userId' in input
    ? findUser(app, input.userId)
    : findUserByEmail(app, input.email));
  if (user?.organizationId !== organizationId || user.disabled) {
    const who = 'userId' in input ? `with the id ${input.userId}` : input.email;
    throw new AppError(
      'not_found',
      `There is no active user ${who}. Add one with: assistant users create`,
    );
  }
  const expiresAt = days === undefined ? null : timestamp(app.clock, days * dayMs);
  const jti = randomUUID();
  const { id, displayName } = user;
  // Store the record first: a signed token without a record would be refused for no visible reason.
  const record = await inTransaction(app, async (app) => {
    const fields = { jti, user: { id, email: user.email, displayName }, name, expiresAt };
    const record = await insertApiToken(app, fields);
    await recordChange(app, actor, {
      organizationId,
      action: 'token.mint',
      subject: `token:${record.id}`,
      after: presentApiToken(record),
    });
    return record;
  });
  const seconds = days === undefined ? undefined : days * (dayMs / 1000);
  const token = await signAccessToken(app, { userId: id, jti }, seconds);
  return { token, name, email: user.email, expiresAt, record };
}
