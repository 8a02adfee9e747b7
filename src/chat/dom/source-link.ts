/** Attributes of links that open a new tab. */
export const elsewhere = { target: '_blank', rel: 'noopener noreferrer' };

/**
 * The address of a source, if the panel may link to it: one concrete page (no `:parameter`, no `*`) on the host's own
 * origin or the documentation's. A browser extension has no such origin. Undefined means that only the excerpt can be
 * shown.
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
