import { z } from 'zod';
import { languages } from '../../language/language-pack.js';
import { type Entry, statuses } from '../../knowledge/entry.js';
import { listEntries } from '../../knowledge/read-entries.js';
import { type Actor, visibilities } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Page, Paged } from '../../platform/db/select-page.js';
import { choiceOf } from '../layout/filters.js';
import { queryText } from '../layout/pager.js';

export const entryUses = ['unused', 'used'] as const;

/** The filter of a list of entries, as its address gives it. */
export const entryFilter = z.object({
  q: z.string().trim().max(200).catch('').default(''),
  status: choiceOf(statuses),
  visibility: choiceOf(visibilities),
  domain: z.string().trim().max(255).catch('').default(''),
  language: choiceOf(languages),
  document: z.string().trim().max(1000).catch('').default(''),
  use: choiceOf(entryUses),
});
export type EntryFilter = z.output<typeof entryFilter>;

export const entrySorts = ['-updated_at', 'title', '-created_at'] as const;
type Sort = (typeof entrySorts)[number];

/** The entries that fit the filter. Those with words are sorted by relevance, unless a sort is given. */
export function findEntries(
  app: App,
  actor: Actor,
  filter: EntryFilter,
  { sort, ...page }: Page & { sort?: Sort | 'created_at' },
): Promise<Paged<Entry>> {
  const { q, status, visibility, domain, language, document, use } = filter;
  return listEntries(app, actor, {
    ...page,
    ...(sort === undefined ? {} : { sort }),
    ...(q === '' ? {} : { q }),
    ...(status === '' ? {} : { status }),
    ...(visibility === '' ? {} : { visibility }),
    ...(domain === '' ? {} : { domain }),
    ...(language === '' ? {} : { language }),
    ...(document === '' ? {} : { document }),
    ...(use === '' ? {} : { used: use === 'used' }),
  });
}

export function isFiltered(filter: EntryFilter): boolean {
  return Object.values(entryFilter.parse(filter)).some((one) => one !== '');
}

export function filterText(filter: EntryFilter): string {
  return queryText(entryFilter.parse(filter));
}
