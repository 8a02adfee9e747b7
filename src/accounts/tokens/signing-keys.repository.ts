import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { plain, record, type RecordOf } from '../../platform/db/record.js';
import type { Page, Paged } from '../../platform/db/select-page.js';

const keys = record({
  kid: plain<string>(),
  /** base64url of 32 random bytes. */
  secret: plain<string>(),
  createdAt: plain<string>(),
});
export type SigningKey = RecordOf<typeof keys>;

const keyRecords = record({
  kid: plain<string>(),
  createdAt: plain<string>(),
  retiredAt: plain<string | null>(),
});
export type KeyRecord = RecordOf<typeof keyRecords>;

/** The key of this name, unless it was retired. Read on each request, so that retiring takes effect at once. */
export async function findVerifyingKey(app: Store, kid: string): Promise<SigningKey | undefined> {
  return keys.first(app.db.read('signing_keys').where({ kid }).whereNull('retired_at'));
}

/** The newest key that is not retired. It signs new tokens. */
export async function findNewestKey(app: Store): Promise<SigningKey | undefined> {
  const standing = app.db.read('signing_keys').whereNull('retired_at');
  return keys.first(standing.orderBy('created_at', 'desc'));
}

export async function pageOfSigningKeys(app: Store, page: Page): Promise<Paged<KeyRecord>> {
  const order = [{ column: 'created_at', order: 'desc' as const }, { column: 'kid' }];
  return keyRecords.page(app.db.read('signing_keys'), order, page);
}

export async function insertSigningKey(app: Store, key: SigningKey): Promise<void> {
  await app.db.write('signing_keys').insert(keys.columns(key));
}

/** Retires all keys except one, and returns the retired ones. */
export async function retireOtherKeys(app: Store, kid: string): Promise<string[]> {
  const rows: { kid: string }[] = await app.db
    .write('signing_keys')
    .whereNot({ kid })
    .whereNull('retired_at')
    .update({ retired_at: timestamp(app.clock) })
    .returning('kid');
  return rows.map((row) => row.kid);
}
