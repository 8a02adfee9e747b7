import {
  nameOf,
  requirePermission,
  type Actor,
  type Member,
  type Visibility,
} from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import type { AnalysedTexts } from '../search/passages/analyse-texts.js';
import { checkVersion, longestText, longestTitle, type Entry, type EntryStatus } from './entry.js';
import { requiredText } from '../platform/validate.js';
import type { EntryChange } from './entries.repository.js';
import { normalizePattern } from './match-pattern.js';
import { placeEntry, type Place } from './place-entry.js';
import { getEntry } from './read-entries.js';
import { changeEntry, recordEntry, storeTexts, withLanguage } from './store-entries.js';

/** The changes; undefined fields stay. */
export interface EntryUpdate {
  title?: string | undefined;
  content?: string | undefined;
  /** Null for the whole app. */
  domain?: string | null | undefined;
  urlPattern?: string | null | undefined;
  viewId?: number | null | undefined;
  appId?: number | undefined;
  status?: EntryStatus | undefined;
  /** Null for the app's default. */
  visibility?: Visibility | null | undefined;
  /** The versions that the writer has seen, as ETags; undefined to overwrite any version. */
  ifMatch?: string | undefined;
}

/**
 * Changes fields of an entry and stores its previous version. A visibility that somebody chose stays unless a new one
 * is given, so that an edit of the text never widens it. A default visibility follows the app's present default.
 * Without any difference, no version is created. Errors: `not_found`; `precondition_failed` (the entry has changed
 * since the writer read it); `conflict` (a domain of another organization or app, or the publication of a draft that
 * replaces another entry); `invalid_request`.
 */
export async function updateEntry(
  app: App,
  actor: Actor,
  name: string,
  input: EntryUpdate,
): Promise<Entry> {
  const member = requirePermission(actor, 'knowledge.write');
  const store = async (app: App, analysed: AnalysedTexts) => {
    const entry = await getEntry(app, member, name);
    checkVersion(entry, input.ifMatch);
    const place = await placeOf(app, member, entry, input);
    const change = changeOf(entry, input, place);
    if (Object.keys(change).length === 0) return entry;
    if (change.status === 'published' && entry.replacesId !== null) throw replacesAnother(entry);
    const changed = await changeEntry(app, entry, change, nameOf(member), analysed);
    await recordEntry(app, member, 'update', { before: entry, after: changed });
    return changed;
  };
  // If somebody else changes the entry first, its text is analysed again.
  const expected = async () => {
    if (input.title === undefined && input.content === undefined) return [];
    const entry = await getEntry(app, member, name);
    const { title, content } = textOf(entry, input);
    const isSame = title === entry.title && content === entry.content;
    return isSame ? [] : [withLanguage({ title, content })];
  };
  return storeTexts(app, member.organizationId, expected, store);
}

/** The title and the text of an entry after a change. Errors: `invalid_request` for an empty or too long one. */
export function textOf(
  entry: Entry,
  { title, content }: EntryUpdate,
): { title: string; content: string } {
  return {
    title: title === undefined ? entry.title : requiredText('title', title, longestTitle),
    content: content === undefined ? entry.content : requiredText('content', content, longestText),
  };
}

/** Published separately, it would duplicate the outdated entry. */
function replacesAnother(entry: Entry): AppError {
  return new AppError(
    'conflict',
    `This draft replaces entry ${entry.replacesId ?? ''}. Approve it in its batch ${entry.batchId ?? ''}: that puts its text in place of the old one.`,
    { reason: { is: 'replaces_another' } },
  );
}

/** Looked up even without a move: the domain may have been claimed, or the app's default may have changed. */
async function placeOf(app: App, member: Member, entry: Entry, input: EntryUpdate): Promise<Place> {
  const { domain = entry.domain, appId, viewId = entry.viewId } = input;
  // An entry of the whole app stays in its app unless another is named.
  const own = domain === null ? (entry.appId ?? undefined) : undefined;
  return placeEntry(app, member, { domain, appId: appId ?? own, viewId });
}

function changeOf(entry: Entry, input: EntryUpdate, place: Place): EntryChange {
  const isDefaulted =
    input.visibility === null || (input.visibility === undefined && entry.visibilityDefaulted);
  const byDefault = place.site?.defaultKnowledgeVisibility ?? 'public';
  return differences(entry, place, {
    ...textOf(entry, input),
    urlPattern: input.urlPattern === undefined ? entry.urlPattern : input.urlPattern,
    status: input.status ?? entry.status,
    visibility: isDefaulted ? byDefault : (input.visibility ?? entry.visibility),
    visibilityDefaulted: isDefaulted,
  });
}

type Wanted = Pick<
  Entry,
  'title' | 'content' | 'urlPattern' | 'status' | 'visibility' | 'visibilityDefaulted'
>;

/** The fields that differ from the entry. Without a given `language`, that of a new text is detected. */
export function differences(
  entry: Entry,
  { site, domain, viewId }: Pick<Place, 'domain' | 'viewId'> & { site: { id: number } | undefined },
  wanted: Wanted,
  language?: Entry['language'],
): EntryChange {
  const { title, content, urlPattern } = wanted;
  const hasNewText = title !== entry.title || content !== entry.content;
  const fields = {
    ...wanted,
    appId: site?.id ?? null,
    viewId,
    domain,
    urlPattern: urlPattern === null ? null : normalizePattern(urlPattern),
    language: hasNewText ? (language ?? withLanguage(wanted).language) : entry.language,
    edited: hasNewText || entry.edited,
  } satisfies EntryChange;
  const changed = Object.entries(fields).filter(
    ([field, value]) => entry[field as keyof typeof fields] !== value,
  );
  return Object.fromEntries(changed);
}
