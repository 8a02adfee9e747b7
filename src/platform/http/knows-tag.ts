/** Whether a client has these bytes already. Caches that changed the answer on its way mark the tag as weak. */
export function knowsTag(ifNoneMatch: string, etag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
