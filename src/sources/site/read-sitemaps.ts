import { setImmediate as breathe } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { askForFile, type SiteConnection } from './fetch-answer.js';
import { pageAddress } from './page-address.js';
import { parseMarkup } from './parse-markup.js';

export interface MappedPage {
  url: URL;
  /** The date of its last change, as written there; null without one. */
  date: string | null;
}

export interface SitemapReader {
  connection: SiteConnection;
  /** True for an address that may be asked for. */
  allows: (url: URL) => boolean;
  /** True for a page that is wanted. */
  wants: (url: URL) => boolean;
  mostPages: number;
  /** True when the crawl has taken all that it may, of bytes or of time. */
  isOver: () => boolean;
}

/** The protocol's own limit for one file, unpacked. */
const mostBytes = 50 * 1024 * 1024;
const mostFiles = 100;
const unzip = promisify(gunzip);

/**
 * The pages of a site's maps (sitemaps.org): XML, indexes of further maps, and plain lists; each also packed by gzip.
 * What can't be read counts as empty, since a map only helps to find pages.
 */
export async function readSitemaps(
  maps: readonly URL[],
  reader: SitemapReader,
): Promise<MappedPage[]> {
  const pages = new Map<string, MappedPage>();
  const waiting = [...maps];
  const seen = new Set<string>();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (reader.isOver()) break;
    if (seen.has(next.href) || seen.size >= mostFiles || !reader.allows(next)) continue;
    seen.add(next.href);
    const text = await fetchMap(next, reader);
    const found = await readMap(text);
    for (const [index, { isMap, address, date }] of found.entries()) {
      if (index % 200 === 199) await breathe();
      const url = pageAddress(address, next);
      if (url === undefined) continue;
      if (isMap) waiting.push(url);
      else if (reader.wants(url) && !pages.has(url.href)) pages.set(url.href, { url, date });
      if (pages.size >= reader.mostPages) return [...pages.values()];
    }
  }
  return [...pages.values()];
}

async function fetchMap(url: URL, { connection, allows }: SitemapReader): Promise<string> {
  const answer = await askForFile(connection, url, { mostBytes }, allows);
  return answer.failure === undefined && answer.status === 200 ? unpacked(answer.bytes) : '';
}

async function unpacked(bytes: Uint8Array): Promise<string> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const options = { maxOutputLength: mostBytes };
  const plain = isPacked ? await unzip(bytes, options).catch(() => undefined) : bytes;
  return new TextDecoder().decode(plain);
}

interface Listed {
  isMap: boolean;
  address: string;
  date: string | null;
}

async function readMap(text: string): Promise<Listed[]> {
  if (!/^\s*</.test(text)) {
    const lines = text.split(/\r\n?|\n/).filter((line) => /^\s*https?:/.test(line));
    return lines.map((address) => ({ isMap: false, address, date: null }));
  }
  const listed: Listed[] = [];
  let current: Listed | undefined;
  let field: 'address' | 'date' | undefined;
  let written = '';
  await parseMarkup(
    text,
    {
      onOpen(name) {
        const local = name.replace(/^.*:/, '');
        if (local === 'url' || local === 'sitemap') {
          current = { isMap: local === 'sitemap', address: '', date: null };
        }
        // Images and videos of a page have a `loc` with a prefix.
        field =
          name === local && local === 'loc' ? 'address' : local === 'lastmod' ? 'date' : undefined;
        written = '';
      },
      onText(piece) {
        if (field !== undefined && written.length < 2000) written += piece;
      },
      onClose(name) {
        if (current !== undefined && field !== undefined)
          current[field] = written.trim().slice(0, 2000);
        field = undefined;
        const local = name.replace(/^.*:/, '');
        if (current === undefined || (local !== 'url' && local !== 'sitemap')) return;
        if (current.address !== '') listed.push(current);
        current = undefined;
      },
    },
    'xml',
  );
  return listed;
}
