import type { Configuration, CustomFetch } from 'openid-client';
import type { Agent, RequestInit } from 'undici';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { lookUpPublic, mayBePublic } from '../../platform/http/public-address.js';
import { parseUrl } from '../../platform/text/parse-url.js';
import { type IdentityProvider, secretPurpose } from './provider.js';
import { findProvider, findSealedSecret } from './providers.repository.js';

/** In bytes; larger than any provider's metadata, key set or token. */
const longestAnswer = 512 * 1024;

export interface BoundedFetch {
  fetch: (url: string, options: object) => Promise<Response>;
  close(): Promise<void>;
}

/**
 * A fetch for identity providers: only public addresses unless the operator allows others, no redirects, within
 * sso.timeout_ms, and at most 512 KB. Throws the original error. Refuses a forbidden address with `provider_failed`.
 */
export async function openBoundedFetch({ config }: Pick<App, 'config'>): Promise<BoundedFetch> {
  const undici = await import('undici');
  const anywhere = config.sso.allow_private;
  const dispatcher: Agent = new undici.Agent(anywhere ? {} : { connect: { lookup: lookUpPublic } });
  return {
    async fetch(url, options) {
      const address = new URL(url);
      if (!anywhere && !mayBePublic(address)) {
        const sentence = `${address.origin} is not on the public internet. The operator allows such providers by sso.allow_private.`;
        throw new AppError('provider_failed', sentence);
      }
      const response = await undici.fetch(url, {
        ...(options as RequestInit),
        redirect: 'manual',
        signal: AbortSignal.timeout(config.sso.timeout_ms),
        dispatcher,
      });
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of response.body ?? []) {
        const bytes = chunk as Uint8Array;
        length += bytes.length;
        if (length > longestAnswer) {
          const sentence = `${address.origin} sent more than ${longestAnswer / 1024} KB.`;
          throw new AppError('provider_failed', sentence);
        }
        chunks.push(bytes);
      }
      const { status, statusText } = response;
      const hasBody = status !== 204 && status !== 304;
      return new Response(hasBody ? Buffer.concat(chunks) : null, {
        status,
        statusText,
        headers: [...response.headers],
      });
    },
    close: () => dispatcher.destroy(),
  };
}

/** The tolerated difference between the clocks of a provider and of this machine, in seconds. */
const clockToleranceSeconds = 30;

type OpenidClient = typeof import('openid-client');

/**
 * Runs `work` with a client of the provider, which knows the provider's endpoints. Each client fetches the signing keys
 * when it verifies a token, so that a new key works at once. Refuses any failure of the provider with
 * `provider_failed`; the log has the reason. With `examined`, no cached metadata is used.
 */
export async function withProvider<T>(
  app: App,
  provider: IdentityProvider,
  work: (oidc: OpenidClient, client: Configuration) => Promise<T>,
  { examined = false }: { examined?: boolean } = {},
): Promise<T> {
  const oidc = await import('openid-client');
  const secret = await openSecret(app, provider);
  const bounded = await openBoundedFetch(app);
  try {
    const known = examined ? undefined : app.providerMetadata.get(provider.issuer);
    const metadata = known ?? (await discover(oidc, app, provider, bounded.fetch));
    // Do not store cached metadata again: that would renew its lifetime, and it would never expire.
    if (known === undefined) app.providerMetadata.set(provider.issuer, metadata);
    const client = new oidc.Configuration(
      metadata,
      provider.clientId,
      {
        [oidc.clockTolerance]: clockToleranceSeconds,
        [oidc.clockSkew]: (app.clock.now().getTime() - Date.now()) / 1000,
      },
      authenticationOf(oidc, secret, metadata.token_endpoint_auth_methods_supported),
    );
    client[oidc.customFetch] = bounded.fetch;
    // Verify the signature too, although the token comes directly from the provider.
    oidc.enableNonRepudiationChecks(client);
    if (mayBePlain(app, provider.issuer)) allowPlain(oidc)(client);
    return await work(oidc, client);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'provider_failed') throw error;
    // The admin who examines the provider needs the reason.
    if (!examined)
      app.log.warn(
        { reason: reasonOf(error), provider: provider.id },
        'an identity provider failed',
      );
    const sentence = `The identity provider ${provider.label} could not be asked, or its answer can't be accepted. Try again; an admin finds out more with: assistant sso check ${provider.name}`;
    throw new AppError('provider_failed', sentence, { cause: error });
  } finally {
    await bounded.close();
  }
}

/** Fetches a provider's metadata. Throws the errors of openid-client, with their cause. */
async function discover(
  oidc: OpenidClient,
  app: App,
  { issuer, clientId }: Pick<IdentityProvider, 'issuer' | 'clientId'>,
  fetch: CustomFetch,
) {
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
    [oidc.customFetch]: fetch,
    execute: mayBePlain(app, issuer) ? [allowPlain(oidc)] : [],
  });
  return found.serverMetadata();
}

function allowPlain(oidc: OpenidClient): (client: Configuration) => void {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only as a warning; this is its intended use
  return oidc.allowInsecureRequests;
}

/** Plain http is allowed only for a provider on this machine, and only if the operator allows it. */
export function mayBePlain({ config }: Pick<App, 'config'>, address: string): boolean {
  const url = parseUrl(address);
  return config.sso.allow_private && url?.protocol === 'http:' && isLoopback(url.hostname);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

async function openSecret(app: App, provider: IdentityProvider): Promise<string | undefined> {
  const sealed = await findSealedSecret(app, provider.id);
  if (sealed === null) return undefined;
  const secret = await app.secrets.open(sealed, secretPurpose(provider));
  if (secret !== undefined) return secret;
  const sentence = `The client secret of ${provider.label} was encrypted with another key. Set it again: assistant sso edit ${provider.name} --client-secret-file <file>`;
  throw new AppError('provider_failed', sentence);
}

function authenticationOf(
  oidc: OpenidClient,
  secret: string | undefined,
  supported: string[] = ['client_secret_basic'],
) {
  if (secret === undefined) return oidc.None();
  return supported.includes('client_secret_post')
    ? oidc.ClientSecretPost(secret)
    : oidc.ClientSecretBasic(secret);
}

/**
 * The address at which a browser also signs out of the provider that opened the session. Undefined when the provider
 * has no such page or does not answer: the session here has ended in any case. The session's ID token tells the
 * provider which of its sessions to end, so that it need not ask.
 */
export async function findEndSessionUrl(
  app: App,
  providerId: number,
  idToken: string | undefined,
): Promise<string | undefined> {
  const provider = await findProvider(app, { id: providerId });
  if (provider === undefined) return undefined;
  try {
    return await withProvider(app, provider, (oidc, client) => {
      const offers = client.serverMetadata().end_session_endpoint !== undefined;
      const hint = idToken === undefined ? {} : { id_token_hint: idToken };
      return Promise.resolve(offers ? oidc.buildEndSessionUrl(client, hint).href : undefined);
    });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The kind of a failure, for the log. Error texts of providers may name people, and have any length. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const { code: cause } = ((error as { cause?: unknown } | null)?.cause ?? {}) as {
    code?: unknown;
  };
  return [name, code, cause]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 100);
}
