import { createHash } from 'node:crypto';
import { pageTitle } from '../../documents/html.js';
import { pageAddress } from './page-address.js';
import { parseMarkup } from './parse-markup.js';

/** What a crawl needs to know of an HTML page. */
export interface HtmlFacts {
  /** Without the name of the site. */
  title: string | null;
  /** The address that the page names as its canonical one, or sends its readers to. */
  canonical: URL | undefined;
  /** The addresses that it links to, in their order. */
  links: URL[];
  robots: RobotsTag;
  /** SHA-256 of its elements and texts, without scripts, comments, and values that differ at each request. */
  contentHash: string;
  /** SHA-256 of its visible text; undefined where that is too short to know the page by. */
  textHash: string | undefined;
  standing: 'page' | 'client_rendered' | 'sign_in';
}

export interface RobotsTag {
  noindex: boolean;
  nofollow: boolean;
}

const mostLinks = 5000;
/** In characters. */
const longestTitle = 500;
/** In characters of visible text, without spaces. */
const nearlyNoText = 100;
const longestOfSignIn = 1500;
/** Elements that hold what people read. The pages of applications have none before their scripts run. */
const prose = new Set([
  'h1',
  'h2',
  'h3',
  'h4',
  'p',
  'li',
  'td',
  'th',
  'dt',
  'dd',
  'pre',
  'article',
]);
const silent = new Set(['script', 'style', 'noscript', 'template']);
/** Attributes that change what a reader sees or where a link leads. */
const telling = ['href', 'src', 'alt', 'id', 'content'] as const;

/** Reads a page. `charset` is that of its Content-Type. */
export async function readHtml(
  bytes: Uint8Array,
  charset: string | undefined,
  address: URL,
  robotName: string,
): Promise<HtmlFacts> {
  const hash = createHash('sha256');
  const textHash = createHash('sha256');
  const links = new Map<string, URL>();
  const robots: RobotsTag = { noindex: false, nofollow: false };
  const found: Found = {
    base: address,
    title: '',
    heading: '',
    letters: 0,
    hasScript: false,
    hasProse: false,
    asksPassword: false,
  };
  let inTitle = false;
  let inHeading = false;
  let quiet = 0;

  await parseMarkup(decodePage(bytes, charset), {
    onOpen(name, attributes) {
      if (silent.has(name)) quiet++;
      if (quiet === 0 && prose.has(name)) found.hasProse = true;
      if (name === 'script') found.hasScript = true;
      else if (quiet === 0) {
        const values = telling.map((each) =>
          name === 'meta' && isVolatile(attributes) ? '' : (attributes[each] ?? ''),
        );
        hash.update(`<${name} ${values.join(' ')}`);
      }
      const href = attributes['href'];
      const rel = attributes['rel']?.toLowerCase().split(/\s+/) ?? [];
      if (name === 'title') inTitle = found.title === '';
      else if (name === 'h1') inHeading = found.heading === '';
      else if (name === 'base' && href !== undefined)
        found.base = pageAddress(href, address) ?? found.base;
      else if (name === 'link' && href !== undefined && rel.includes('canonical')) {
        found.canonical ??= pageAddress(href, found.base);
      } else if (name === 'meta') {
        const isMeant = ['robots', robotName].includes(attributes['name']?.toLowerCase() ?? '');
        const content = attributes['content'] ?? '';
        if (isMeant) addRobots(robots, content);
        const isRefresh = attributes['http-equiv']?.toLowerCase() === 'refresh';
        const [, to] =
          (isRefresh && /^\s*[0-5]\s*[;,]\s*url\s*=\s*["']?([^"']*)/i.exec(content)) || [];
        if (to !== undefined) found.canonical = pageAddress(to, found.base);
      } else if (name === 'input')
        found.asksPassword ||= attributes['type']?.toLowerCase() === 'password';
      const isLink = name === 'a' || name === 'area';
      const target = isLink
        ? href
        : name === 'frame' || name === 'iframe'
          ? attributes['src']
          : undefined;
      if (target === undefined || rel.includes('nofollow') || links.size >= mostLinks) return;
      const url = pageAddress(target, found.base);
      if (url !== undefined) links.set(url.href, url);
    },
    onText(text) {
      if (inTitle) found.title += text;
      else if (quiet === 0) found.letters += text.replaceAll(/\s+/g, '').length;
      if (quiet > 0) return;
      if (inHeading && found.heading.length < longestTitle) found.heading += text;
      hash.update(text);
      textHash.update(text);
    },
    onClose(name) {
      if (silent.has(name)) quiet = Math.max(0, quiet - 1);
      if (name === 'title') inTitle = false;
      if (name === 'h1') inHeading = false;
    },
  });

  const [stated, heading] = [found.title, found.heading].map((text) =>
    text.replaceAll(/\s+/g, ' ').trim().slice(0, longestTitle),
  );
  const title = pageTitle(stated ?? '', heading === '' ? undefined : heading);
  return {
    title: title === '' ? null : title,
    canonical: found.canonical,
    links: robots.nofollow ? [] : [...links.values()],
    robots,
    contentHash: hash.digest('hex'),
    textHash: found.letters < nearlyNoText ? undefined : textHash.digest('hex'),
    standing: standingOf(found),
  };
}

/** What the elements of a page say. */
interface Found {
  base: URL;
  canonical?: URL | undefined;
  title: string;
  /** The words of its first h1. */
  heading: string;
  /** Characters of visible text, without spaces. */
  letters: number;
  hasScript: boolean;
  hasProse: boolean;
  asksPassword: boolean;
}

function standingOf({ asksPassword, hasScript, hasProse, letters }: Found): HtmlFacts['standing'] {
  if (asksPassword && letters < longestOfSignIn) return 'sign_in';
  return hasScript && !hasProse && letters < nearlyNoText ? 'client_rendered' : 'page';
}

/** Tokens against forged requests, times of building. */
function isVolatile(attributes: Record<string, string>): boolean {
  return /token|csrf|nonce|time|date|modified/i.test(
    attributes['name'] ?? attributes['property'] ?? '',
  );
}

/** Reads `noindex, nofollow`, and `none` for both. */
export function addRobots(robots: RobotsTag, content: string): void {
  const words = content.toLowerCase().split(/[\s,]+/);
  robots.noindex ||= words.includes('noindex') || words.includes('none');
  robots.nofollow ||= words.includes('nofollow') || words.includes('none');
}

/** Reads X-Robots-Tag, in which a robot's name may stand before its rules: `googlebot: noindex, nofollow`. */
export function readRobotsHeader(header: string | undefined, robotName: string): RobotsTag {
  const robots: RobotsTag = { noindex: false, nofollow: false };
  let isMeant = true;
  for (const part of header?.split(',') ?? []) {
    const [, name, rule] = /^\s*(?:([\w-]+)\s*:)?(.*)$/s.exec(part) ?? [];
    const isRule = name === undefined || /^(unavailable_after|max-)/i.test(name);
    if (!isRule) isMeant = name.toLowerCase() === robotName;
    if (isMeant) addRobots(robots, rule ?? '');
  }
  return robots;
}

/** The text of a page in the encoding that it names: by its first bytes, its Content-Type, or its own `meta`. */
function decodePage(bytes: Uint8Array, charset: string | undefined): string {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const mark = start.startsWith('\u00fe\u00ff')
    ? 'utf-16be'
    : start.startsWith('\u00ff\u00fe')
      ? 'utf-16le'
      : undefined;
  const named = /<meta[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i.exec(start)?.[1];
  for (const label of [mark, charset, named]) {
    try {
      if (label !== undefined) return new TextDecoder(label).decode(bytes);
    } catch {
      // An unknown name: the next one may be known.
    }
  }
  return new TextDecoder().decode(bytes);
}
