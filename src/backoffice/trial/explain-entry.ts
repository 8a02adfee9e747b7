import { explainEntries, type ExplainedEntries } from '../../answers/explain-entries.js';
import type { Entry } from '../../knowledge/entry.js';
import { listEntries } from '../../knowledge/read-entries.js';
import type { Spoken } from '../../language/language-pack.js';
import type { Actor, Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';

/** Entries among which one is chosen. */
const mostChoices = 8;

export interface AskedAgain {
  question: string;
  url: string;
  tier: Visibility;
  language: Spoken | '';
}

/** Why an answer uses an entry or not; or the entries that words may mean; or that there is nothing to explain. */
export type Explained =
  | { kind: 'entry'; entry: NonNullable<ExplainedEntries['explained']> }
  | { kind: 'choices'; entries: Entry[] }
  | { kind: 'noPage' };

/** Explains the entry with this number or id. Other words are searched for. */
export async function explainEntry(
  app: App,
  actor: Actor,
  { question: text, url, tier, language, entry }: AskedAgain & { entry: string },
): Promise<Explained> {
  const isNamed = /^[1-9]\d{0,9}$|^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(entry);
  const place = {
    ...(url === '' ? {} : { url }),
    ...(language === '' ? {} : { language }),
  };
  const input = { text, tier, ...place, page: 1, limit: 1 };
  try {
    const named = isNamed ? { ...input, entry } : input;
    const { explained } = await explainEntries(app, actor, named);
    if (explained !== undefined) return { kind: 'entry', entry: explained };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    return isNamed ? { kind: 'choices', entries: [] } : { kind: 'noPage' };
  }
  const { items } = await listEntries(app, actor, { q: entry, page: 1, limit: mostChoices });
  return { kind: 'choices', entries: items };
}
