import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { requiredName } from './required-name.js';
import { insertApp, type SiteApp } from './sites.repository.js';
import { presentApp } from './tenancy.schema.js';

/** Creates an app of the actor's organization. Refuses with `conflict` when the name is taken. */
export async function createApp(
  app: App,
  actor: Actor,
  input: { name: string; defaultKnowledgeVisibility?: Visibility | null | undefined },
): Promise<SiteApp> {
  const { organizationId } = requirePermission(actor, 'administer');
  const name = requiredName('name', input.name);
  const defaultKnowledgeVisibility = input.defaultKnowledgeVisibility ?? null;
  return withUniqueName(app, name, () =>
    inTransaction(app, async (app) => {
      const created = await insertApp(app, { organizationId, name, defaultKnowledgeVisibility });
      const subject = `app:${created.id}`;
      const after = presentApp(created);
      await recordChange(app, actor, { organizationId, action: 'app.create', subject, after });
      return created;
    }),
  );
}

/** Runs what names an app. Refuses with `conflict` when another app of the organization has the name. */
export async function withUniqueName<T>(
  { db }: Pick<App, 'db'>,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!db.dialect.isUniqueViolation(error)) throw error;
    throw new AppError('conflict', `The organization has an app named ${name} already.`);
  }
}
