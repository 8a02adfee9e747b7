/**
 * Which of the encodings at hand, the best first, a request's `Accept-Encoding` likes most (RFC 9110, 12.5.3): by its
 * q-values, among equals by our order. Where it takes none of them it is given `identity`, as if it had not said so.
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
  // Not to be named is to be welcome for identity alone, and least of all.
  const qualityOf = (name: string) =>
    qualities.get(name) ?? rest ?? (name === 'identity' ? 0.0001 : 0);
  const [best] = offered
    .map((name) => ({ name, quality: qualityOf(name) }))
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return best?.name ?? 'identity';
}

/** 1 where none is given; 0 where it is none that could be read: what is unclear is not sent. */
function qualityIn(parameters: string[]): number {
  const given = parameters.find((one) => one.startsWith('q='));
  if (given === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0;
}

/** Whether a client has these bytes already. Caches that changed the answer on its way mark the tag as weak. */
export function knowsTag(ifNoneMatch: string, etag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
