import type { Agent, RequestInit } from 'undici';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { lookUpPublic, mayBePublic } from '../../platform/http/public-address.js';

/** More than any provider's description, set of keys or token takes. */
const longestAnswer = 512 * 1024;

export interface BoundedFetch {
  fetch: (url: string, options: object) => Promise<Response>;
  close(): Promise<void>;
}

/**
 * Asks an identity provider: public addresses alone unless the operator allows others, no redirects, in sso.timeout_ms,
 * and 512 KB at most. Throws what went wrong; an address that is not allowed refuses with `provider_failed`.
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
        ...{ status, statusText },
        headers: [...response.headers],
      });
    },
    close: () => dispatcher.destroy(),
  };
}
