import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { appOfOrigin } from '../tenancy/app-of-origin.js';

/**
 * Lets a call of the widget pass only from a page on a domain that is registered for the app: the rule that keeps other
 * sites from using a key, which stands in the HTML for all to read. Refuses with `origin_required` where no origin is
 * named, and with `origin_not_allowed`.
 */
export async function checkOrigin(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  origin: string | undefined,
  appId: number,
): Promise<void> {
  requireOriginOwner(await appOfOrigin(app, requireOrigin(origin)), appId, origin);
}

/** The same for an origin whose owner (appOfOrigin) is known already. Refuses with `origin_not_allowed`. */
export function requireOriginOwner(
  owner: number | 'any' | undefined,
  appId: number,
  origin: string | undefined,
): void {
  if (owner !== 'any' && owner !== appId) throw originNotAllowed(origin);
}

/** The origin that a call names. Refuses with `origin_required` where it names none. */
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
