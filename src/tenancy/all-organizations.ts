import { recordChange } from '../audit/record-change.js';
import type { Actor } from '../platform/actor.js';
import type { App, Store } from '../platform/app.js';
import { inTransaction, unlessTaken } from '../platform/db/in-transaction.js';
import { allOf, type Page, type Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { findNamed, type Wanted } from '../platform/find-named.js';
import { listAppsPage } from './manage-apps.js';
import {
  organizations,
  listOrganizationRecords,
  type OrganizationRecord,
} from './sites-admin.repository.js';
import { insertOrganization, type Organization } from './sites.repository.js';
import { presentOrganization } from './tenancy.schema.js';

/** Only the machine's operator may act across organizations. Refuses others with `forbidden`. */
function requireOperator(actor: Actor): void {
  if (actor.kind === 'operator') return;
  const sentence = 'Organizations are managed by the command line, on the server’s machine.';
  throw new AppError('forbidden', sentence);
}

/** A page of all organizations, only for the operator. Refuses others with `forbidden`. */
export async function listAllOrganizations(
  app: App,
  actor: Actor,
  page: Page,
): Promise<Paged<OrganizationRecord>> {
  requireOperator(actor);
  return listOrganizationRecords(app, page);
}

/** Finds an organization by slug, number or name, only for the operator. Errors: those of findNamed. */
export async function getOrganizationNamed(
  app: App,
  actor: Actor,
  name: string,
  { whole }: Wanted = {},
): Promise<OrganizationRecord> {
  requireOperator(actor);
  const { items: among } = await listOrganizationRecords(app, allOf);
  // Admins can rename theirs freely, so a name must not take precedence over another's slug.
  const called = name.trim().toLowerCase();
  const own = among.find(({ slug }) => slug === called && /\D/.test(slug));
  if (own !== undefined) return own;
  const namesOf = (one: OrganizationRecord) => ({ id: one.id, names: [one.slug, one.name] });
  return findNamed(name, { thing: 'organization', among, namesOf, whole });
}

/** Adds an organization and begins its log, only for the operator. Errors: those of createOrganization. */
export async function addOrganization(
  app: App,
  actor: Actor,
  input: { name: string; slug?: string | undefined },
): Promise<OrganizationRecord> {
  requireOperator(actor);
  return inTransaction(app, async (app) => {
    const { id, slug } = await createOrganization(app, input);
    const added = await getOrganizationNamed(app, actor, slug, { whole: true });
    await recordChange(app, actor, {
      organizationId: id,
      action: 'organization.create',
      subject: `organization:${id}`,
      after: presentOrganization(added),
    });
    return added;
  });
}

/**
 * Deletes an organization with its people, conversations, requests and log, only for the operator. The deletion is
 * recorded, by number, in the log of the organization in which the operator acts, so that one can't be deleted. Refuses
 * with `not_found`, and with `conflict` (naming the rest) while it has apps or entries.
 */
export async function deleteOrganization(
  app: App,
  actor: Actor,
  slug: string,
): Promise<OrganizationRecord> {
  return inTransaction(app, async (app) => {
    const found = await getOrganizationNamed(app, actor, slug, { whole: true });
    if (actor.kind !== 'operator' || actor.organizationId === found.id) {
      const sentence = `You are acting in ${slug}. Name another organization with --org to delete this one.`;
      throw new AppError('conflict', sentence);
    }
    const inside = { kind: 'operator', organizationId: found.id } as const;
    const { total: apps } = await listAppsPage(app, inside, { page: 1, limit: 1 });
    const entries = await app.siteContents.countEntries(app, found.id);
    if (apps + entries > 0) {
      const sentence = `The organization ${found.name} still has apps (${apps}) or entries (${entries}). Delete them first.`;
      throw new AppError('conflict', sentence);
    }
    await organizations.delete(app, found.id);
    await recordChange(app, actor, {
      organizationId: actor.organizationId,
      action: 'organization.delete',
      subject: `organization:${found.id}`,
    });
    return found;
  });
}

/**
 * Creates an organization. The default slug is derived from the name. Errors: `invalid_request`; `conflict` when the
 * slug is taken.
 */
export async function createOrganization(
  app: Store,
  input: { name: string; slug?: string | undefined },
): Promise<Organization> {
  const name = input.name.trim();
  if (name === '') throw new AppError('invalid_request', 'The organization needs a name.');
  const slug = input.slug ?? slugOf(name);
  if (slug !== slugOf(slug)) {
    const sentence = `slug: must be lower-case letters, digits and hyphens, e.g. ${slugOf(slug)}`;
    throw new AppError('invalid_request', sentence);
  }
  const taken = `There is an organization with the slug ${slug} already.`;
  return unlessTaken(app, taken, () => insertOrganization(app, { name, slug }));
}

/** A slug of lower-case ASCII letters, digits and hyphens: "Große Bücherei" becomes "grosse-bucherei". */
export function slugOf(name: string): string {
  const ascii = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase();
  return (
    ascii
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 100) || 'organization'
  );
}
