import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/record.js';
import { selectPage, type Page, type Paged } from '../../platform/db/select-page.js';

/** The record of a long-lived token. The token itself is stored nowhere. */
export interface ApiToken {
  id: number;
  jti: string;
  name: string;
  user: { id: number; email: string; displayName: string };
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  /** When it was revoked, or ended together with the user's other tokens by a new password. */
  revokedAt: string | null;
}

interface ApiTokenRow {
  id: number;
  user_id: number;
  jti: string;
  name: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  tokens_valid_from: string | null;
  email: string;
  display_name: string;
}

export async function insertApiToken(
  app: Store,
  token: Pick<ApiToken, 'jti' | 'name' | 'user' | 'expiresAt'>,
): Promise<ApiToken> {
  const createdAt = timestamp(app.clock);
  const id = await insertRow(app.db.write, 'api_tokens', {
    jti: token.jti,
    user_id: token.user.id,
    name: token.name,
    expires_at: token.expiresAt,
    created_at: createdAt,
  });
  return { ...token, id, createdAt, lastUsedAt: null, revokedAt: null };
}

export async function pageOfApiTokens(
  app: Store,
  organizationId: number,
  filter: { userId?: number | undefined },
  page: Page,
): Promise<Paged<ApiToken>> {
  const query = ofOrganization(app, organizationId);
  if (filter.userId !== undefined) void query.where({ user_id: filter.userId });
  return selectPage(query, [{ column: 'id', order: 'desc' }], page, toApiToken);
}

export async function findApiToken(
  app: Store,
  organizationId: number,
  id: number,
): Promise<ApiToken | undefined> {
  const row = (await ofOrganization(app, organizationId).where({ id }).first()) as
    | ApiTokenRow
    | undefined;
  return row === undefined ? undefined : toApiToken(row);
}

export async function revokeApiTokenRow(app: Store, id: number): Promise<void> {
  await app.db
    .write('api_tokens')
    .where({ id })
    .update({ revoked_at: timestamp(app.clock) });
}

/** Ends every token of a user, even if the clock was changed after its creation. */
export async function revokeApiTokensOf(app: Store, userId: number): Promise<void> {
  await app.db
    .write('api_tokens')
    .where({ user_id: userId })
    .whereNull('revoked_at')
    .update({ revoked_at: timestamp(app.clock) });
}

/** The tokens of an organization's users, with their owners. */
function ofOrganization(app: Store, organizationId: number) {
  const joined = app.db
    .read('api_tokens')
    .join('users', 'users.id', 'api_tokens.user_id')
    .where({ 'users.organization_id': organizationId })
    .select('api_tokens.*', 'users.email', 'users.display_name', 'users.tokens_valid_from');
  // A subquery, so that pages and conditions can use column names without a table.
  return app.db.read.from(joined.as('tokens'));
}

function toApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    jti: row.jti,
    name: row.name,
    user: { id: row.user_id, email: row.email, displayName: row.display_name },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at ?? endedAt(row),
  };
}

/** A token from before the user's valid-from time counts as revoked. */
function endedAt({ created_at, tokens_valid_from }: ApiTokenRow): string | null {
  return tokens_valid_from !== null && created_at < tokens_valid_from ? tokens_valid_from : null;
}
