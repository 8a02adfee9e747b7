import { recordChange } from '../audit/record-change.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { didYouMean } from '../platform/did-you-mean.js';
import { createOrganization } from './create-organization.js';
import {
  findOrganizationRecord,
  listOrganizationRecords,
  type OrganizationRecord,
} from './sites-admin.repository.js';
import { listOrganizations } from './sites.repository.js';
import { presentOrganization } from './tenancy.schema.js';

/** Only the machine's operator may cross organizations. Refuses everybody else with `forbidden`. */
export function requireOperator(actor: Actor): void {
  if (actor.kind === 'operator') return;
  const sentence = 'Organizations are looked after on the machine, by the command line.';
  throw new AppError('forbidden', sentence);
}

/** A page of all organizations, for the operator alone. Refuses others with `forbidden`. */
export async function listAllOrganizations(
  app: App,
  actor: Actor,
  page: Page,
): Promise<Paged<OrganizationRecord>> {
  requireOperator(actor);
  return listOrganizationRecords(app, page);
}

/** The organization with this slug, for the operator alone. Refuses with `not_found`, and a suggestion. */
export async function getOrganizationBySlug(
  app: App,
  actor: Actor,
  slug: string,
): Promise<OrganizationRecord> {
  requireOperator(actor);
  const all = await listOrganizations(app);
  const named = all.find((organization) => organization.slug === slug);
  const found = named === undefined ? undefined : await findOrganizationRecord(app, named.id);
  if (found !== undefined) return found;
  const slugs = all.map((organization) => organization.slug);
  const sentence = `There is no organization with the slug ${slug}.${didYouMean(slug, slugs)}`;
  throw new AppError('not_found', sentence);
}

/** Adds an organization, for the operator alone; its own log begins with that. Refuses as createOrganization does. */
export async function addOrganization(
  app: App,
  actor: Actor,
  input: { name: string; slug?: string | undefined },
): Promise<OrganizationRecord> {
  requireOperator(actor);
  return inTransaction(app, async (app) => {
    const { id, slug } = await createOrganization(app, input);
    const added = await getOrganizationBySlug(app, actor, slug);
    await recordChange(app, actor, {
      organizationId: id,
      action: 'organization.create',
      subject: `organization:${id}`,
      after: presentOrganization(added),
    });
    return added;
  });
}
