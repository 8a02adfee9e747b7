import type { Config } from '../../platform/config/schema.js';

/**
 * The path that a provider sends browsers back to. Each has its own, so that what one provider answers is never taken
 * for the answer of another (a mix-up attack, RFC 9700).
 */
export const callbackPath = '/api/auth/sso/callback/:id';

/** Where browsers reach this service, without a slash at the end; undefined where the operator has not said it. */
export function publicBase({ server }: Pick<Config, 'server'>): string | undefined {
  return server.public_url?.replace(/\/+$/, '');
}

/** The path under which browsers reach this service; mostly empty. */
export function publicPath(config: Pick<Config, 'server'>): string {
  const base = publicBase(config);
  return base === undefined ? '' : new URL(base).pathname.replace(/\/+$/, '');
}

/** What is registered at a provider, below a base. */
export function redirectUriAt(base: string, provider: { id: number }): string {
  return base + callbackPath.replace(':id', String(provider.id));
}
