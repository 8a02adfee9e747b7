import { fit } from '../ingestion/bulk/name-files.js';
import { sha256Of } from '../ingestion/upload/start-ingestion.js';

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

/** The name of a page’s document: its path, with the ending of its type. Two pages never have one name. */
export function nameOfPage(
  address: string,
  contentType: string,
  taken: ReadonlySet<string>,
): string {
  const { hostname, pathname, search } = new URL(address);
  const path = pathname.split('/').filter((part) => part !== '');
  const whole = path.length === 0 ? hostname : path.map(decoded).join(' - ');
  const plain = `${whole}${search.replaceAll(/[/\\]/g, '-')}`;
  const ending = endingOf[contentType] ?? '';
  const name = fit(endings[ending]?.test(plain) === false ? `${plain}${ending}` : plain);
  if (!taken.has(name)) return name;
  return fit(`${sha256Of(Buffer.from(address)).slice(0, 12)} - ${name}`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll(/[/\\]/g, '-');
  } catch {
    return part;
  }
}
