/** Of links that leave the page where it is. */
export const elsewhere = { target: '_blank', rel: 'noopener noreferrer' };

/**
 * Where a source can be read: only an address that is one page (no `:parameter`, no `*`), and only on the host's own
 * origin or the documentation's. In a browser's extension there is no such origin. Undefined: there is nothing to lead
 * to but the excerpt.
 */
export function sourceLink(
  pattern: string,
  pageOrigin: string,
  docsBaseUrl: string | undefined,
): string | undefined {
  if (!/^(https?:\/)?\/[^*:]*$/.test(pattern)) return undefined;
  try {
    const { origin, href } = new URL(pattern, pageOrigin);
    const isOurs = origin === pageOrigin || origin === new URL(docsBaseUrl ?? pageOrigin).origin;
    return isOurs && /^http/.test(href) ? href : undefined;
  } catch {
    return undefined;
  }
}
