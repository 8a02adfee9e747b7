import { randomUUID } from 'node:crypto';
import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import type { Page, Paged } from '../../platform/db/select-page.js';
import { AppError } from '../../platform/errors.js';
import { newSecret } from '../../platform/random-secret.js';
import {
  findNewestKey,
  insertSigningKey,
  pageOfSigningKeys,
  retireOtherKeys,
  type KeyRecord,
  type SigningKey,
} from './signing-keys.repository.js';

/** The key that signs now. The first one is created when it is first needed. */
export async function currentKey(app: App): Promise<SigningKey> {
  const newest = await findNewestKey(app);
  if (newest !== undefined) return newest;
  return inTransaction(app, async (app) => {
    // Read again under the lock: two processes must not each create a first key.
    const present = await findNewestKey(app);
    if (present !== undefined) return present;
    const key = makeKey(timestamp(app.clock));
    await insertSigningKey(app, key);
    return key;
  });
}

/**
 * Creates a new key, which signs from now on. Older keys still verify their tokens. Retiring them ends those tokens in
 * all organizations, so only the operator may do it (else `forbidden`).
 */
export async function rotateSigningKey(
  app: App,
  actor: Actor,
  input: { retireOld: boolean },
): Promise<{ key: KeyRecord; retired: number }> {
  const { organizationId } = requirePermission(actor, 'administer');
  if (input.retireOld && actor.kind !== 'operator') {
    throw new AppError('forbidden', 'Retire keys with: assistant tokens rotate-key --retire-old');
  }
  return inTransaction(app, async (app) => {
    const newest = await findNewestKey(app);
    // Always later than the newest key, so that two keys of the same moment have an order.
    const after = newest === undefined ? 0 : Date.parse(newest.createdAt) + 1;
    const createdAt = new Date(Math.max(app.clock.now().getTime(), after)).toISOString();
    const made = makeKey(createdAt);
    await insertSigningKey(app, made);
    const key = { kid: made.kid, createdAt, retiredAt: null };
    const subject = `signing_key:${key.kid}`;
    const entry = { organizationId, action: 'signing_key.create', subject };
    await recordChange(app, actor, { ...entry, after: presentKey(key) });
    const retired = input.retireOld ? await retireOtherKeys(app, key.kid) : [];
    for (const kid of retired) {
      const change = {
        organizationId,
        action: 'signing_key.retire',
        subject: `signing_key:${kid}`,
        before: { retired_at: null },
        after: { retired_at: timestamp(app.clock) },
      };
      await recordChange(app, actor, change);
    }
    return { key, retired: retired.length };
  });
}

/** The installation's keys, newest first, without their secrets. */
export async function listSigningKeys(
  app: App,
  actor: Actor,
  page: Page,
): Promise<Paged<KeyRecord>> {
  requirePermission(actor, 'administer');
  return pageOfSigningKeys(app, page);
}

/** A key in wire format, without its secret. */
export function presentKey(key: KeyRecord) {
  return { kid: key.kid, created_at: key.createdAt, retired_at: key.retiredAt };
}

function makeKey(createdAt: string): SigningKey {
  return { kid: randomUUID(), secret: newSecret(), createdAt };
}
