import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/insert-row.js';
import { type Page, type Paged, selectPage } from '../platform/db/select-page.js';

/** A link between an account and an app's identity of the same person. It stays until that person ends it. */
export interface AccountLink {
  id: number;
  organizationId: number;
  appId: number;
  endUserId: number;
  userId: number;
  createdAt: string;
}

/** A link with the person's description by the host. */
export interface DescribedLink extends AccountLink {
  appName: string;
  externalId: string;
  displayName: string | null;
  email: string | null;
}

interface LinkRow {
  id: number;
  organization_id: number;
  app_id: number;
  end_user_id: number;
  user_id: number;
  created_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

/** The database refuses a second account for an end user, and a second end user for an account in one app. */
export async function insertAccountLink(
  app: Store,
  link: Omit<AccountLink, 'id' | 'createdAt'>,
): Promise<number> {
  return insertRow(app.db.write, 'account_links', {
    organization_id: link.organizationId,
    app_id: link.appId,
    end_user_id: link.endUserId,
    user_id: link.userId,
    created_at: timestamp(app.clock),
  });
}

/** The link of an end user, or of an account in an app. */
export async function findAccountLink(
  app: Store,
  by:
    { end_user_id: number } | { app_id: number; user_id: number } | { id: number; user_id: number },
): Promise<AccountLink | undefined> {
  const row = await app.db.read<LinkRow>('account_links').where(by).first();
  return row === undefined ? undefined : toLink(row);
}

/** The account whose links are meant, optionally in one app. */
export interface LinksOf {
  userId: number;
  appId?: number | undefined;
}

/** A page of an account's links, the oldest first. */
export async function listLinksOf(
  app: Store,
  whose: LinksOf,
  page: Page,
): Promise<Paged<AccountLink>> {
  return selectPage(linksOf(app, whose), [{ column: 'id' }], page, toLink);
}

export async function findLinksOf(app: Store, whose: LinksOf): Promise<AccountLink[]> {
  const rows = (await linksOf(app, whose).orderBy('id').select('*')) as LinkRow[];
  return rows.map(toLink);
}

export async function deleteAccountLink(app: Store, id: number): Promise<void> {
  await app.db.write('account_links').where({ id }).delete();
}

function linksOf(app: Store, { userId, appId }: LinksOf) {
  const query = app.db.read('account_links').where({ user_id: userId });
  if (appId !== undefined) void query.where({ app_id: appId });
  return query;
}

/** True when a user token, while valid, has already linked an account. */
export async function hasLinked(app: Store, jti: string): Promise<boolean> {
  const row = await app.db.read<{ jti: string }>('link_tokens').where({ jti }).first('jti');
  return row !== undefined;
}

/** Records that a user token has linked an account, and deletes expired records. */
export async function storeLinkToken(
  app: Store,
  { jti, expiresAt: expires_at }: { jti: string; expiresAt: string },
): Promise<void> {
  await app.db.write('link_tokens').where('expires_at', '<=', timestamp(app.clock)).delete();
  await app.db.write('link_tokens').insert({ jti, expires_at }).onConflict('jti').ignore();
}

function toLink(row: LinkRow): AccountLink {
  return {
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    endUserId: row.end_user_id,
    userId: row.user_id,
    createdAt: row.created_at,
  };
}
