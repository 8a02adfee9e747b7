/**
 * Chooses the encoding for a request's `Accept-Encoding` (RFC 9110, 12.5.3) by its q-values. `offered` is in our order
 * of preference, which decides between equals. Returns `identity` when the request accepts none of them.
 */
export function chooseEncoding<E extends string>(
  accepted: string,
  offered: readonly E[],
): E | 'identity' {
  const qualities = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (name !== '') qualities.set(name === 'x-gzip' ? 'gzip' : name, qualityIn(parameters));
  }
  const rest = qualities.get('*');
  // An encoding that is not named is not accepted, except identity, which is accepted last.
  const qualityOf = (name: string) =>
    qualities.get(name) ?? rest ?? (name === 'identity' ? 0.0001 : 0);
  const [best] = offered
    .map((name) => ({ name, quality: qualityOf(name) }))
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return best?.name ?? 'identity';
}

/** 1 when there is no q-value; 0 when the q-value can't be read, so that the encoding is not used. */
function qualityIn(parameters: string[]): number {
  const given = parameters.find((one) => one.startsWith('q='));
  if (given === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0;
}

/** True when the client already has these bytes. Caches that changed the response on its way mark its tag as weak. */
export function knowsTag(ifNoneMatch: string, etag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
