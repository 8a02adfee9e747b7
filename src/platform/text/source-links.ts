/**
 * Links to another document of the same source, in the Markdown of an entry: `[words](source:setup/install.md#reset)`.
 * The path is relative to the document's own, as its author wrote it; that of a page begins at the root of its site.
 * They say nothing outside of the product, so whoever shows the text resolves them, or leaves only their words.
 */
const pattern = /\[([^[\]\n]*)\]\(source:([^\s()<>]+)\)/g;

/** The address of a link to `path`, which may have a query and a fragment behind it. */
export function linkWithin(path: string): string {
  return `source:${path.replaceAll(/[\s()<>[\]|\\`]/g, percentEncoded)}`;
}

function percentEncoded(sign: string): string {
  return [...Buffer.from(sign)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
}

/** The paths of a text's links to documents of its source. */
export function linksWithin(markdown: string): string[] {
  if (!markdown.includes('](source:')) return [];
  return [...markdown.matchAll(pattern)].map(([, , path = '']) => path);
}

/** The text with the addresses that `resolve` finds for such links, and only words for the others. */
export function resolveLinks(
  markdown: string,
  resolve: (path: string) => string | undefined,
): string {
  if (!markdown.includes('](source:')) return markdown;
  return markdown.replaceAll(pattern, (_, words: string, path: string) => {
    const address = resolve(path);
    return address === undefined ? words : `[${words}](${address})`;
  });
}

/** The text with only the words of such links. */
export function withoutLinks(markdown: string): string {
  return resolveLinks(markdown, () => undefined);
}
