import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { selectPage, type Page, type Paged } from '../../platform/db/select-page.js';

export interface SigningKey {
  kid: string;
  /** base64url of 32 random bytes. */
  secret: string;
  createdAt: string;
}

export interface KeyRecord {
  kid: string;
  createdAt: string;
  retiredAt: string | null;
}

interface KeyRow {
  kid: string;
  secret: string;
  created_at: string;
  retired_at: string | null;
}

type Store = Pick<App, 'db' | 'clock'>;

/** The key of this name, unless it was retired. Read on each request, so that retiring takes effect at once. */
export async function findVerifyingKey(app: Store, kid: string): Promise<SigningKey | undefined> {
  const row = await app.db
    .read<KeyRow>('signing_keys')
    .where({ kid })
    .whereNull('retired_at')
    .first();
  return row === undefined ? undefined : toKey(row);
}

/** The newest key that is not retired. It signs new tokens. */
export async function findNewestKey(app: Store): Promise<SigningKey | undefined> {
  const row = await app.db
    .read<KeyRow>('signing_keys')
    .whereNull('retired_at')
    .orderBy('created_at', 'desc')
    .first();
  return row === undefined ? undefined : toKey(row);
}

export async function pageOfSigningKeys(app: Store, page: Page): Promise<Paged<KeyRecord>> {
  return selectPage(
    app.db.read('signing_keys'),
    [{ column: 'created_at', order: 'desc' }, { column: 'kid' }],
    page,
    (row: KeyRow) => ({ kid: row.kid, createdAt: row.created_at, retiredAt: row.retired_at }),
  );
}

export async function insertSigningKey(app: Store, key: SigningKey): Promise<void> {
  const { createdAt, ...fields } = key;
  await app.db.write('signing_keys').insert({ ...fields, created_at: createdAt });
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

function toKey({ kid, secret, created_at }: KeyRow): SigningKey {
  return { kid, secret, createdAt: created_at };
}
