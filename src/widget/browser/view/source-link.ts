import type { FrameSource } from '../../protocol.js';

/**
 * Where a source can be read: only an address that is one page (no `:parameter`, no `*`), and only on the host's own
 * origin or under the documentation's root. Undefined: there is nothing to lead to but the excerpt.
 */
export function sourceLink(
  source: Pick<FrameSource, 'url_pattern'>,
  pageOrigin: string,
  docsBaseUrl: string | undefined,
): string | undefined {
  const pattern = source.url_pattern;
  const absolute = /^https?:\/\//i.test(pattern);
  if (!absolute && !/^\/(?![/\\])/.test(pattern)) return undefined;
  if (/[*:\s\\]/.test(pattern.replace(/^https?:\/\/[^/]*/i, ''))) return undefined;
  const address = parsed(pattern, pageOrigin);
  if (address === undefined || address.username !== '') return undefined;
  const allowed = [pageOrigin, docsBaseUrl === undefined ? undefined : parsed(docsBaseUrl)?.origin];
  return allowed.includes(address.origin) ? address.href : undefined;
}

function parsed(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
