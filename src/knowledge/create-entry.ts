import { nameOf, requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { refusedField } from '../platform/errors.js';
import { requiredText } from '../platform/validate.js';
import type { AnalysedTexts } from '../search/passages/analyse-texts.js';
import { longestText, longestTitle, type Entry, type EntryStatus, type NewEntry } from './entry.js';
import { normalizePattern } from './match-pattern.js';
import { placeEntry } from './place-entry.js';
import { addEntries, recordEntry, storeTexts, withLanguage } from './store-entries.js';

export interface EntryInput {
  title: string;
  content: string;
  /** Null for the whole app; undefined when `appId` is given instead. */
  domain?: string | null | undefined;
  urlPattern?: string | null | undefined;
  viewId?: number | null | undefined;
  /** The app of an entry without a domain (default: the first). Otherwise it must match the domain's app. */
  appId?: number | undefined;
  status?: EntryStatus | undefined;
  /** Null and undefined: the app's default, else public. */
  visibility?: Visibility | null | undefined;
}

/**
 * Creates an entry. If no app has registered its domain yet, the entry waits and is invisible. Errors: `conflict` for a
 * domain of another organization or app; `not_found` for a missing app or view; `invalid_request` for invalid fields.
 */
export async function createEntry(app: App, actor: Actor, input: EntryInput): Promise<Entry> {
  const member = requirePermission(actor, 'knowledge.write');
  const title = requiredText('title', input.title, longestTitle);
  const content = requiredText('content', input.content, longestText);
  if (input.domain === undefined && input.appId === undefined) {
    const message = 'missing; a host name, or null for the whole app';
    throw refusedField('domain', message);
  }
  const urlPattern = input.urlPattern == null ? null : normalizePattern(input.urlPattern);
  const { organizationId } = member;
  const text = withLanguage({ title, content });
  const store = async (app: App, analysed: AnalysedTexts) => {
    const { domain = null, appId, viewId = null } = input;
    const place = await placeEntry(app, member, { domain, appId, viewId });
    const fields: NewEntry = {
      organizationId,
      appId: place.site?.id ?? null,
      viewId: place.viewId,
      domain: place.domain,
      urlPattern,
      ...text,
      status: input.status ?? 'draft',
      visibility: input.visibility ?? place.site?.defaultKnowledgeVisibility ?? 'public',
      visibilityDefaulted: input.visibility == null,
      batchId: null,
      chunkIndex: null,
      pageFrom: null,
      pageTo: null,
      changedBy: nameOf(actor),
    };
    const [entry] = await addEntries(app, [fields], analysed);
    if (entry === undefined) throw new Error('inserting an entry answered none');
    await recordEntry(app, actor, 'create', { after: entry });
    return entry;
  };
  return storeTexts(app, organizationId, () => Promise.resolve([text]), store);
}
