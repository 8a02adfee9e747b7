import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { readRecently } from '../platform/db/recent-reads.js';
import { pageReply, presentPage } from './page.schema.js';
import {
  locatePage,
  rankPlaces,
  readPage,
  type LocatedPage,
  type PageQuery,
} from './query-page.js';

/** The answer of a page query, in the shape of `pageReply`. */
export interface PageAnswer {
  /** A hash of all but the URL, in quotes: each URL has an answer, and a tag, of its own. */
  etag: string;
  /** JSON in UTF-8. */
  json: Buffer;
}

type Answers = LRUCache<string, PageAnswer>;

/** The most bytes of cached answers of addresses, and of pages: about 1,000 of those with 50 entries. */
const mostBytes = 32_000_000;

declare module '../platform/db/database.js' {
  interface DatabaseMemory {
    /** By all that decides what an answer says. Those of `pages` lack their first field, the URL; `made` are under way. */
    pageAnswers?: { addresses: Answers; pages: Answers; made: Map<string, Promise<PageAnswer>> };
  }
}

/**
 * The answer of `queryPage` as bytes, from rows that are at most 20 ms old. Pages are requested far more often than
 * knowledge changes, so each answer is made once for all callers with the same rights. Errors: as `queryPage`.
 */
export async function answerPage(app: App, actor: Actor, query: PageQuery): Promise<PageAnswer> {
  const page = await locatePage(app, actor, query, (key, read) => readRecently(app, key, read));
  const { addresses, pages, made } = (app.db.memory.pageAnswers ??= {
    addresses: createAnswers(),
    pages: createAnswers(),
    made: new Map(),
  });
  const about = rightsOf(page);
  const address = `${about}\n${page.url}`;
  const known = addresses.get(address);
  if (known !== undefined) return known;
  const key = `${about}\n${placesOf(page)}`;
  const { etag, json: rest } = pages.get(key) ?? (await makeOnce());
  const answer = { etag, json: Buffer.concat([Buffer.from(beginningOf(page)), rest]) };
  addresses.set(address, answer);
  return answer;

  /** After a change, all readers of a page come at once. */
  async function makeOnce(): Promise<PageAnswer> {
    const underway = made.get(key) ?? serialize(app, page);
    made.set(key, underway);
    try {
      const page = await underway;
      pages.set(key, page);
      return page;
    } finally {
      made.delete(key);
    }
  }
}

function createAnswers(): Answers {
  const sizeCalculation = ({ json }: PageAnswer, key: string) => json.length + key.length + 200;
  return new LRUCache({ maxSize: mostBytes, sizeCalculation });
}

/** Everything that decides what an answer says, besides the address. */
function rightsOf({ site, language, found }: LocatedPage): string {
  if (found === undefined || site.app === undefined) return 'unregistered';
  const { places, tiers, viewId } = found;
  const about = [
    places.appId,
    places.revision,
    tiers.join(),
    language,
    viewId,
    JSON.stringify(site.app.name),
  ];
  return about.join(' ');
}

/** What decides instead of the path. The numbers of places belong to one revision. */
function placesOf({ site, found }: LocatedPage): string {
  if (found === undefined) return site.host;
  const { bound, general } = rankPlaces(site, found);
  const ranks = [...bound, ...general].map((rank) => rank.map(({ key }) => key).join());
  // The counts of the domain depend on the host, even where the places are the same.
  return `${site.host} ${ranks.join(';')}`;
}

/** Without its beginning, so that all addresses of a page share it. */
async function serialize(app: App, page: LocatedPage): Promise<PageAnswer> {
  const text = JSON.stringify(pageReply.parse(presentPage(await readPage(app, page))));
  const json = Buffer.from(text.slice(beginningOf(page).length));
  const hash = createHash('sha256').update(json).digest('base64url');
  return { etag: `"${hash.slice(0, 27)}"`, json };
}

/** The beginning of an answer: its schema has `url` first. */
function beginningOf({ url }: LocatedPage): string {
  return `{"url":${JSON.stringify(url)}`;
}
