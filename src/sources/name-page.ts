import { fit } from '../ingestion/bulk/name-files.js';
import { sha256Of } from '../ingestion/upload/start-ingestion.js';
import { decoded } from '../platform/text/parse-url.js';

/** The endings of names by type: the ending tells Markdown from plain text. */
const endings: Record<string, RegExp> = {
  '.html': /\.html?$/i,
  '.md': /\.(md|markdown)$/i,
  '.txt': /\.txt$/i,
  '.pdf': /\.pdf$/i,
};
const endingOf: Record<string, string> = {
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
  'application/pdf': '.pdf',
};

/**
 * The name of a page’s document: its path, with the ending of its type. Two pages never have one name. Where the path
 * has what stands for a slash in names, the name has a mark of the address, whichever page comes first.
 */
export function nameOfPage(
  address: string,
  contentType: string,
  taken: ReadonlySet<string>,
): string {
  const { hostname, pathname, search } = new URL(address);
  const path = pathname.split('/').flatMap((part) => (part === '' ? [] : [decoded(part)]));
  const isPlain = path.every((part) => !/(?:^| )-(?: |$)|[/\\]/.test(part));
  const whole = path.length === 0 ? hostname : path.map(slashless).join(' - ');
  const plain = `${whole}${slashless(search)}`;
  const ending = endingOf[contentType] ?? '';
  const name = fit(endings[ending]?.test(plain) === false ? `${plain}${ending}` : plain);
  if (isPlain && !taken.has(name)) return name;
  return fit(`${sha256Of(Buffer.from(address)).slice(0, 12)} - ${name}`);
}

function slashless(text: string): string {
  return text.replaceAll(/[/\\]/g, '-');
}
