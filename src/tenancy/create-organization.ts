import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { insertOrganization, type Organization } from './sites.repository.js';

/**
 * Creates an organization. Its slug is made of the name unless one is given. Refuses with `invalid_request`, and
 * `conflict` when the slug is taken.
 */
export async function createOrganization(
  app: Pick<App, 'db' | 'clock'>,
  input: { name: string; slug?: string | undefined },
): Promise<Organization> {
  const name = input.name.trim();
  if (name === '') throw new AppError('invalid_request', 'The organization needs a name.');
  const slug = input.slug ?? slugOf(name);
  if (slug !== slugOf(slug)) {
    const sentence = `slug: must be lower-case letters, digits and hyphens, e.g. ${slugOf(slug)}`;
    throw new AppError('invalid_request', sentence);
  }
  try {
    return await insertOrganization(app, { name, slug });
  } catch (error) {
    if (!app.db.dialect.isUniqueViolation(error)) throw error;
    throw new AppError('conflict', `There is an organization with the slug ${slug} already.`);
  }
}

/** Lower-case ASCII letters, digits and hyphens: "Große Bücherei" is "grosse-bucherei". */
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
