import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { getView } from '../tenancy/manage-views.js';
import { listDomains } from '../tenancy/sites.repository.js';
import type { Entry } from './entry.js';

/**
 * The address of a page on which an entry counts: of its view, of the fixed part of its pattern, else the start of its
 * domain. Errors: `unprocessable` for an entry whose app has no domain.
 */
export async function addressOfEntry(app: App, actor: Actor, entry: Entry): Promise<string> {
  const { viewId, urlPattern, organizationId, appId, title } = entry;
  const domains = await listDomains(app, organizationId);
  const host = entry.domain ?? domains.find((domain) => domain.appId === appId)?.host;
  if (host === undefined) {
    const sentence = `"${title}" belongs to every page of its app, which has no domain. Register one with: assistant domains create`;
    throw new AppError('unprocessable', sentence);
  }
  const path = viewId === null ? urlPattern : (await getView(app, actor, viewId)).path;
  const segments = (path ?? '').split('/');
  const open = segments.findIndex((segment) => /^[:*]/.test(segment));
  const fixed = segments.slice(0, open === -1 ? undefined : open).join('/');
  return addressOfPath(host, fixed);
}

/** The address of a path as it is stored, or of the start of the site. */
export function addressOfPath(host: string, fixed: string): string {
  const scheme = host === 'localhost' ? 'http' : 'https';
  // Stored paths are decoded, except for bytes that would mean something else.
  const encoded = encodeURI(fixed).replaceAll('%25', '%');
  return new URL(encoded === '' ? '/' : encoded, `${scheme}://${host.replace(/^\*\./, '')}`).href;
}
