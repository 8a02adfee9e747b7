import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { appOfOrigin } from '../tenancy/app-of-origin.js';

/**
 * Accepts a widget call only from a page on a domain that is registered for the app. This keeps other sites from using
 * a key, which is public in the HTML. Refuses with `origin_required` without an origin, and with `origin_not_allowed`.
 */
export async function checkOrigin(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  origin: string | undefined,
  appId: number,
): Promise<void> {
  requireOriginOwner(await appOfOrigin(app, requireOrigin(origin)), appId, origin);
}

/** As checkOrigin, for an origin with a known owner (appOfOrigin). Refuses with `origin_not_allowed`. */
export function requireOriginOwner(
  owner: number | 'any' | undefined,
  appId: number,
  origin: string | undefined,
): void {
  if (owner !== 'any' && owner !== appId) throw originNotAllowed(origin);
}

/** The origin of a call. Refuses with `origin_required` without one. */
export function requireOrigin(origin: string | undefined): string {
  if (origin !== undefined && origin !== '') return origin;
  throw new AppError(
    'origin_required',
    'The call names no Origin, as every browser does by itself. Call the widget from a page of the app.',
  );
}

export function originNotAllowed(origin: string | undefined): AppError {
  const sentence =
    `The origin ${JSON.stringify((origin ?? '').slice(0, 200))} is not registered for this app: have an admin add ` +
    'its domain (for localhost: the setting widget.allow_localhost).';
  return new AppError('origin_not_allowed', sentence);
}
