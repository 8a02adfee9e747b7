import { randomInt } from 'node:crypto';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import { pageScope } from '../../knowledge/page-scope.js';
import { queryPage } from '../../knowledge/query-page.js';
import { getEntry, listEntries } from '../../knowledge/read-entries.js';
import { addEntries } from '../../knowledge/store-entries.js';
import type { Entry, NewEntry } from '../../knowledge/entry.js';
import { nameOf, visibilities, type Actor, type Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { rehearse } from '../../platform/db/in-transaction.js';
import { searchPassages } from '../../search/search-passages.js';
import type { Domain, SiteApp } from '../../tenancy/sites.repository.js';
import { credentialsOf, type Credential } from './credentials.js';

const doors = ['page', 'answers', 'lists'] as const;
export type Door = (typeof doors)[number];
/** A tier of published entries, or drafts of any tier. */
export type Kept = Entry['visibility'] | 'draft';

/** One trial: whether a credential reached a canary, and whether it should. */
export interface Trial {
  app: string;
  credential: string;
  door: Door;
  kept: Kept;
  reached: boolean;
  allowed: boolean;
}

interface Canary {
  entry: Entry;
  kept: Kept;
  word: string;
}

/**
 * Adds canaries to an app (one for each tier, and a draft) and searches for them with every credential by every way:
 * the page query, the search behind answers, and lists of entries. Everything is rolled back: no reader ever sees a
 * canary, and nothing remains.
 */
export async function askCanaries(
  app: App,
  member: Member,
  site: SiteApp,
  domain: Domain | undefined,
): Promise<Trial[]> {
  // No model is used: a transaction is open, and canaries have no vectors.
  const ollama = { ...app.config.ollama, embedding_model: '' };
  const quiet: App = { ...app, config: { ...app.config, ollama } };
  return rehearse(quiet, async (app) => {
    const path = `/${word()}`;
    const canaries = await plant(app, member, site, domain, path);
    const host = domain?.host.replace(/^\*/, 'canary');
    const url = host === undefined ? undefined : `https://${host}${path}`;
    const trials: Trial[] = [];
    for (const credential of credentialsOf(member.organizationId, site.id)) {
      for (const door of doors) {
        const found = await lookThrough(door, app, credential, canaries, url);
        if (found === undefined) continue;
        for (const { entry, kept } of canaries) {
          const allowed = isAllowed(credential, door, kept, url);
          const reached = found.has(entry.id);
          trials.push({
            app: site.name,
            credential: credential.name,
            door,
            kept,
            reached,
            allowed,
          });
        }
      }
    }
    return trials;
  });
}

async function plant(
  app: App,
  member: Member,
  site: SiteApp,
  domain: Domain | undefined,
  path: string,
): Promise<Canary[]> {
  const kinds: Kept[] = [...visibilities, 'draft'];
  const words = kinds.map(word);
  const fields = kinds.map((kept, index): NewEntry => ({
    organizationId: site.organizationId,
    appId: site.id,
    viewId: null,
    domain: domain?.host ?? null,
    urlPattern: path,
    title: `Canary ${words[index] ?? ''}`,
    content: `The canary ${words[index] ?? ''} sings.`,
    language: 'en',
    // A draft of the widest tier: only its status hides it.
    visibility: kept === 'draft' ? 'public' : kept,
    status: kept === 'draft' ? 'draft' : 'published',
    visibilityDefaulted: false,
    batchId: null,
    chunkIndex: null,
    pageFrom: null,
    pageTo: null,
    changedBy: nameOf(member),
  }));
  const added = await addEntries(app, fields);
  // Read back, because triggers and defaults decide what is stored.
  const entries = await findEntriesById(
    app,
    added.map(({ id }) => id),
  );
  return entries.map((entry, index) => ({
    entry,
    kept: kinds[index] ?? 'draft',
    word: words[index] ?? '',
  }));
}

/** The ids that a credential reaches; undefined when the way is closed to it or does not exist. */
async function lookThrough(
  door: Door,
  app: App,
  { reader, asker, inLists }: Credential,
  canaries: Canary[],
  url: string | undefined,
): Promise<Set<number> | undefined> {
  if (door === 'page') {
    if (url === undefined) return undefined;
    const { entries } = await queryPage(app, reader, { url });
    return new Set(entries.map(({ id }) => id));
  }
  if (asker === undefined) return undefined;
  if (door === 'lists') {
    if (inLists === undefined) return undefined;
    const found = new Set<number>();
    for (const { word } of canaries) {
      const { items } = await listEntries(app, asker, { q: word, page: 1, limit: 10 });
      items.forEach(({ id }) => found.add(id));
    }
    for (const { entry } of canaries) {
      if (await mayRead(app, asker, entry)) found.add(entry.id);
    }
    return found;
  }
  const found = new Set<number>();
  const text = canaries.map((canary) => canary.word).join(' ');
  for (const at of url === undefined ? [undefined] : [url, undefined]) {
    const { scope, place } = await pageScope(app, asker, { url: at });
    const { passages } = await searchPassages(app, { text, scope, place, limit: 20 });
    passages.forEach(({ entryId }) => found.add(entryId));
  }
  return found;
}

/** Whether a person can read an entry by its number, which is easy to guess. */
async function mayRead(app: App, actor: Actor, { id }: Entry): Promise<boolean> {
  try {
    return (await getEntry(app, actor, String(id))).id === id;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function isAllowed(
  { onPages, inAnswers, inLists, name }: Credential,
  door: Door,
  kept: Kept,
  url: string | undefined,
): boolean {
  if (door === 'lists') {
    return kept === 'draft' ? inLists?.drafts === true : inLists?.tiers.includes(kept) === true;
  }
  if (kept === 'draft') return false;
  // Without a page of the app, another organization has no way there.
  if (door === 'answers' && url === undefined && name === 'another organization') return false;
  return (door === 'page' ? onPages : inAnswers).includes(kept);
}

/** A word that no knowledge contains; only letters, so that every search treats it as one word. */
function word(): string {
  const letters = Array.from({ length: 14 }, () => String.fromCharCode(97 + randomInt(26)));
  return `zq${letters.join('')}`;
}
