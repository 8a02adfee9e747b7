import type { Config } from '../../platform/config/schema.js';

/**
 * The path to which a provider sends browsers back. Each provider has its own path, so that the answer of one is never
 * accepted for another (a mix-up attack, RFC 9700).
 */
export const callbackPath = '/api/auth/sso/callback/:id';

/** The address at which browsers reach this service, without a final slash; undefined when not configured. */
export function publicBase({ server }: Pick<Config, 'server'>): string | undefined {
  return server.public_url?.replace(/\/+$/, '');
}

/** The path prefix under which browsers reach this service; usually empty. */
export function publicPath(config: Pick<Config, 'server'>): string {
  const base = publicBase(config);
  return base === undefined ? '' : new URL(base).pathname.replace(/\/+$/, '');
}

/** The address to register at a provider. */
export function redirectUriAt(base: string, provider: { id: number }): string {
  return base + callbackPath.replace(':id', String(provider.id));
}
