import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { allOf, type Page, type Paged } from '../../platform/db/select-page.js';
import { AppError } from '../../platform/errors.js';
import { findNamed, type Wanted } from '../../platform/find-named.js';
import { presentApiToken } from './accounts.schema.js';
import {
  findApiToken,
  pageOfApiTokens,
  revokeApiTokenRow,
  type ApiToken,
} from './api-tokens.repository.js';

/** The long-lived tokens of the organization's users, newest first, including revoked and expired ones. */
export async function listApiTokens(
  app: App,
  actor: Actor,
  input: Page & { userId?: number | undefined },
): Promise<Paged<ApiToken>> {
  const { organizationId } = requirePermission(actor, 'administer');
  return pageOfApiTokens(app, organizationId, input, input);
}

export async function getApiToken(app: App, actor: Actor, id: number): Promise<ApiToken> {
  const { organizationId } = requirePermission(actor, 'administer');
  const token = await findApiToken(app, organizationId, id);
  if (token === undefined) throw new AppError('not_found', `There is no token ${id}.`);
  return token;
}

/** Finds a token by its number or, while it is valid, its name. Errors: those of findNamed. */
export async function getTokenNamed(
  app: App,
  actor: Actor,
  name: string,
  { whole }: Wanted = {},
): Promise<ApiToken> {
  const { items: among } = await listApiTokens(app, actor, allOf);
  const namesOf = (one: ApiToken) => ({
    id: one.id,
    names: one.revokedAt === null ? [one.name] : [],
  });
  return findNamed(name, { thing: 'token', among, namesOf, whole });
}

/** Revokes a token at once. A revoked token stays revoked. Errors: `not_found`. */
export async function revokeApiToken(app: App, actor: Actor, id: number): Promise<ApiToken> {
  const { organizationId } = requirePermission(actor, 'administer');
  return inTransaction(app, async (app) => {
    const before = await getApiToken(app, actor, id);
    if (before.revokedAt !== null) return before;
    await revokeApiTokenRow(app, id);
    const after = await getApiToken(app, actor, id);
    await recordChange(app, actor, {
      organizationId,
      action: 'token.revoke',
      subject: `token:${id}`,
      before: presentApiToken(before),
      after: presentApiToken(after),
    });
    return after;
  });
}
