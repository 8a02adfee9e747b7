import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import {
  type Answer,
  type Failure,
  mostRedirects,
  redirectOf,
  type SiteConnection,
} from './fetch-answer.js';
import { pageAddress, pageKey, type SiteScope } from './page-address.js';
import { readHtml, readRobotsHeader, type RobotsTag } from './read-html.js';
import type { KnownPage, LeftOutReason } from './site-page.js';

export interface SiteVisit {
  connection: SiteConnection;
  scope: SiteScope;
  /** By robots.txt. */
  allows: (url: URL) => boolean;
  /** The name of the robot in lower case. */
  robotName: string;
  mostPageBytes: number;
  /** The HTML of a page after its scripts have run; undefined where no browser runs them. */
  render: ((url: URL) => Promise<string | undefined>) | undefined;
  /** True to read a page where it is, whatever address it calls its own. */
  inPlace?: boolean;
}

/** What an address of the site brought. */
export type Visit =
  | { kind: 'unchanged'; address: URL; validators?: Validators }
  | Found
  /** The page is at another address of the site. */
  | { kind: 'moved'; to: URL; reason: 'redirects' | 'canonical'; isForGood: boolean }
  | { kind: 'left_out'; reason: LeftOutReason; detail?: string; links: URL[] };

interface Found extends Pick<KnownPage, 'bodyHash' | 'textHash'> {
  kind: 'page';
  address: URL;
  bytes: Uint8Array;
  contentType: string;
  title: string | null;
  contentHash: string;
  validators: Validators;
  links: URL[];
}

/** What the site is asked with whether a page has changed. */
type Validators = Pick<KnownPage, 'etag' | 'lastModified'>;

/** The types of files that are taken, by Content-Type. */
const types = new Map([
  ['text/html', 'text/html'],
  ['application/xhtml+xml', 'text/html'],
  ['text/markdown', 'text/markdown'],
  ['text/x-markdown', 'text/markdown'],
  ['text/plain', 'text/plain'],
  ['application/pdf', 'application/pdf'],
]);
/** Servers without a list of types send these as bytes of any kind, or as plain text. */
const endings = new Map([
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['txt', 'text/plain'],
  ['pdf', 'application/pdf'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
]);
/** Markup takes several times its size in memory. */
const mostMarkupBytes = 10 * 1024 * 1024;
const signInPath =
  /(^|[/._-])(log-?in|sign-?in|signon|sso|oauth2?|saml2?|auth|authorize|cas)([/._-]|$)/i;

/**
 * Asks the site for an address. With a `known` page, the site may answer that the page is unchanged. Rejects only with
 * the reason of the connection's signal.
 */
export async function visitPage(
  visit: SiteVisit,
  start: URL,
  known: KnownPage | undefined,
): Promise<Visit> {
  let url = start;
  for (let hops = 0; ; hops++) {
    if (!visit.allows(url)) return leftOut('robots');
    const answer = await visit.connection.ask(url, {
      headers: conditions(known),
      mostBytes: visit.mostPageBytes,
      wants: (_status, headers) => refuseType(url, headers),
    });
    if (answer.failure !== undefined) return leftOut(answer.failure, answer.detail);
    const { status } = answer;
    // The page may call another spelling its own: only its text tells.
    const isAsKnown = known?.isPage === true && (url === start || url.href === known.address);
    if (status === 304 && known !== undefined) {
      return { kind: 'unchanged', address: isAsKnown ? new URL(known.address) : url };
    }
    if (status === 404 || status === 410) return leftOut('not_found', String(status));
    if (status === 401 || status === 403) return leftOut('sign_in', String(status));
    const target = redirectOf(answer, url);
    if (target !== undefined) {
      const to = visit.scope.ownScheme(target);
      if (!visit.scope.includes(to)) return leaves(to);
      if (hops === mostRedirects || to.href === url.href) return leftOut('redirects', to.href);
      if (pageKey(to) !== pageKey(start)) {
        return {
          kind: 'moved',
          to,
          reason: 'redirects',
          isForGood: status === 301 || status === 308,
        };
      }
      url = to;
      continue;
    }
    if (status !== 200) return leftOut('http_status', String(status));
    const bodyHash = sha256Of(answer.bytes);
    const robots = readRobotsHeader(answer.headers.get('x-robots-tag'), visit.robotName);
    if (isAsKnown && known.bodyHash === bodyHash && !robots.noindex) {
      const address = new URL(known.address);
      return { kind: 'unchanged', address, validators: validatorsOf(answer.headers) };
    }
    return readPage(visit, url, answer, { bodyHash, robots });
  }
}

function leftOut(reason: LeftOutReason, detail?: string, links: URL[] = []): Visit {
  return { kind: 'left_out', reason, links, ...(detail === undefined ? undefined : { detail }) };
}

function leaves(to: URL): Visit {
  const isForSignIn = signInPath.test(to.pathname) || signInPath.test(to.hostname);
  return leftOut(isForSignIn ? 'sign_in' : 'other_site', `${to.origin}${to.pathname}`);
}

function conditions(known: KnownPage | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (known?.isPage !== true) return headers;
  if (known.etag !== null) headers['if-none-match'] = known.etag;
  if (known.lastModified !== null) headers['if-modified-since'] = known.lastModified;
  return headers;
}

function refuseType(url: URL, headers: ReadonlyMap<string, string>): Failure | undefined {
  if (typeOf(url, headers) !== undefined) return undefined;
  return { failure: 'content_type', detail: (headers.get('content-type') ?? 'none').slice(0, 100) };
}

/** The type of a file by its Content-Type; where that says nothing, by the end of the address. */
function typeOf(url: URL, headers: ReadonlyMap<string, string>): string | undefined {
  const written = /^\s*([^;\s]*)/.exec(headers.get('content-type') ?? '')?.[1]?.toLowerCase() ?? '';
  const ending = endings.get(/\.(\w+)$/.exec(url.pathname)?.[1]?.toLowerCase() ?? '');
  if (written === '' || written === 'application/octet-stream') return ending;
  if (written === 'text/plain' && ending === 'text/markdown') return ending;
  return types.get(written);
}

async function readPage(
  visit: SiteVisit,
  url: URL,
  { headers, bytes }: Extract<Answer, { status: number }>,
  { bodyHash, robots }: { bodyHash: string; robots: RobotsTag },
): Promise<Visit> {
  const { scope, robotName, inPlace = false } = visit;
  const declared = typeOf(url, headers);
  const isPdf = startsAsPdf(bytes);
  if (declared === undefined || isPdf !== (declared === 'application/pdf')) {
    // A PDF that is called something else is a PDF; what is called one must be one.
    if (!isPdf) return leftOut('content_type', 'not the type that the site says');
  }
  const contentType = isPdf ? 'application/pdf' : (declared ?? '');
  const charset = /;\s*charset\s*=\s*"?([\w-]{1,40})/i.exec(headers.get('content-type') ?? '')?.[1];
  if (!isPdf && bytes.subarray(0, 2048).includes(0) && !isUtf16(bytes)) {
    return leftOut('content_type', 'not text');
  }
  const file: Pick<Found, 'kind' | 'bytes' | 'contentType' | 'validators' | 'bodyHash'> = {
    kind: 'page',
    bytes: isPdf ? bytes : inUtf8(bytes, charset),
    contentType,
    validators: validatorsOf(headers),
    bodyHash,
  };
  if (contentType !== 'text/html') {
    if (robots.noindex) return leftOut('noindex');
    const hashes = { contentHash: bodyHash, textHash: bodyHash };
    return { ...file, ...hashes, address: url, title: null, links: [] };
  }
  if (bytes.length > mostMarkupBytes) return tooLarge();
  let facts = await readHtml(bytes, charset, url, robotName);
  if (facts.standing === 'client_rendered' && visit.render !== undefined) {
    const html = await visit.render(url);
    if (html !== undefined) {
      if (html.length > mostMarkupBytes) return tooLarge();
      file.bytes = Buffer.from(html);
      facts = await readHtml(file.bytes, 'utf-8', url, robotName);
      // What the scripts show may change while the page itself does not.
      file.bodyHash = null;
      file.validators = { etag: null, lastModified: null };
    }
  }
  const links = robots.nofollow ? [] : facts.links.map((link) => scope.ownScheme(link));
  const canonical = facts.canonical && scope.ownScheme(facts.canonical);
  const isNamed = canonical !== undefined && !inPlace && scope.includes(canonical);
  if (isNamed && pageKey(canonical) !== pageKey(url)) {
    return { kind: 'moved', to: canonical, reason: 'canonical', isForGood: true };
  }
  if (robots.noindex || facts.robots.noindex) return leftOut('noindex', undefined, links);
  if (facts.standing !== 'page') return leftOut(facts.standing, undefined, links);
  const { title, contentHash, textHash = contentHash } = facts;
  const address = isNamed ? canonical : url;
  return { ...file, address, title, contentHash, textHash, links };
}

function tooLarge(): Visit {
  return leftOut('too_large', `more than ${mostMarkupBytes} bytes`);
}

function startsAsPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

/** A text that says only in its header how it is encoded would be read wrongly once it is stored. */
function inUtf8(bytes: Uint8Array, charset: string | undefined): Uint8Array {
  if (charset === undefined || isUtf8(bytes) || isUtf16(bytes)) return bytes;
  try {
    return Buffer.from(new TextDecoder(charset).decode(bytes));
  } catch {
    // An encoding that nobody knows.
    return bytes;
  }
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function validatorsOf(headers: ReadonlyMap<string, string>): Validators {
  return { etag: kept(headers.get('etag')), lastModified: kept(headers.get('last-modified')) };
}

/** A header to send again; null for none and for one that no server means. */
function kept(header: string | undefined): string | null {
  return header === undefined || header.length > 500 ? null : header;
}

/** Reads the address of a site as a person writes it, with or without `https://`. */
export function startAddress(written: string): URL | undefined {
  const text = written.trim();
  return pageAddress(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
}
