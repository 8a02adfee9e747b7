import type { Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow, plain, type RecordOf, table } from '../platform/db/record.js';
import type { Page, Paged } from '../platform/db/select-page.js';

export const links = table('account_links', {
  id: plain<number>(),
  organizationId: plain<number>(),
  appId: plain<number>(),
  endUserId: plain<number>(),
  userId: plain<number>(),
  createdAt: plain<string>(),
});

/** A link between an account and an app's identity of the same person. It stays until that person ends it. */
export type AccountLink = RecordOf<typeof links>;

/** A link with the person's description by the host. */
export interface DescribedLink extends AccountLink {
  appName: string;
  externalId: string;
  displayName: string | null;
  email: string | null;
}

/** The database refuses a second account for an end user, and a second end user for an account in one app. */
export async function insertAccountLink(
  app: Store,
  link: Omit<AccountLink, 'id' | 'createdAt'>,
): Promise<number> {
  const row = links.columns({ ...link, createdAt: timestamp(app.clock) });
  return insertRow(app.db.write, 'account_links', row);
}

/** The link of an end user, or of an account in an app. */
export async function findAccountLink(
  app: Store,
  by:
    | { end_user_id: number }
    | { app_id: number; user_id: number }
    | { id: number; user_id: number },
): Promise<AccountLink | undefined> {
  return links.first(app.db.read('account_links').where(by));
}

/** Selects the links of an account, optionally in one app. */
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
  return links.page(linksOf(app, whose), [{ column: 'id' }], page);
}

export async function findLinksOf(app: Store, whose: LinksOf): Promise<AccountLink[]> {
  return links.all(linksOf(app, whose).orderBy('id'));
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
