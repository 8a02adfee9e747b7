import { isNarrower, nameOf, requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import {
  addEntries,
  changeEntry,
  recordEntry,
  storeTexts,
  withLanguage,
} from '../../knowledge/store-entries.js';
import type { AnalysedTexts } from '../../search/passages/analyse-texts.js';
import { toKept } from '../batches/rejected.repository.js';
import { storeReshaping } from '../batches/reshaped.repository.js';
import { cutText, titleOfCut } from './draft-texts.js';
import { openDraft, placeAfter, type NamedDraft } from './open-draft.js';

export interface Split {
  first: Entry;
  second: Entry;
}

/**
 * Cuts a draft in two before the character at `position`. The first part stays the draft, with its title and the entry
 * that it replaces. The second is a new draft of the same section and pages, titled by `title`, else by its first line.
 * Refuses as openDraft and cutText do.
 */
export async function splitDraft(
  app: App,
  actor: Actor,
  input: NamedDraft & { position: number; title?: string | undefined },
): Promise<Split> {
  const member = requirePermission(actor, 'knowledge.write');
  const open = async (app: App) => {
    const draft = await openDraft(app, member, input);
    const cut = cutText(draft.entry.content, input.position);
    const given = input.title?.trim() ?? '';
    const texts = [
      withLanguage({ title: draft.entry.title, content: cut.first }),
      withLanguage({ title: given === '' ? titleOfCut(cut.second) : given, content: cut.second }),
    ] as const;
    return { draft, texts };
  };
  const store = async (app: App, analysed: AnalysedTexts): Promise<Split> => {
    const { draft, texts } = await open(app);
    const { entry, batch } = draft;
    const sourcePart = await placeAfter(app, draft);
    const place = await placeOfNew(app, entry);
    const change = { ...texts[0], edited: true };
    const first = await changeEntry(app, entry, change, nameOf(member), analysed);
    const { uuid: _uuid, createdAt: _createdAt, ...same } = toKept(entry);
    const [second] = await addEntries(
      app,
      [
        {
          ...same,
          ...texts[1],
          ...place,
          sourcePart,
          edited: true,
          replacesId: null,
          wasPublished: false,
          changedBy: nameOf(member),
        },
      ],
      analysed,
    );
    if (second === undefined) throw new Error('inserting an entry answered none');
    const done = { kind: 'split', from: [entry], to: [first, second] } as const;
    await storeReshaping(app, batch.id, done);
    await recordEntry(app, member, 'split', { before: entry, after: first });
    await recordEntry(app, member, 'split', { after: second });
    return { first, second };
  };
  return storeTexts(app, member.organizationId, async () => (await open(app)).texts, store);
}

/** A part of a draft that replaces an entry is as open as that entry at most, and stands where it stands. */
async function placeOfNew(app: App, { replacesId, visibility }: Entry): Promise<Partial<Entry>> {
  const [replaced] = replacesId === null ? [] : await findEntriesById(app, [replacesId]);
  if (replaced === undefined) return {};
  const { appId, viewId, domain, urlPattern } = replaced;
  const isKept = !isNarrower(replaced.visibility, visibility);
  const tier = isKept
    ? {}
    : { visibility: replaced.visibility, visibilityDefaulted: replaced.visibilityDefaulted };
  return { appId, viewId, domain, urlPattern, ...tier };
}
