import { recordChange } from '../../audit/record-change.js';
import type { Actor } from '../../platform/actor.js';
import type { App, WithDb } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { refusedField } from '../../platform/errors.js';
import { isTimeZone } from '../../platform/time-zone.js';
import { ownUser } from './own-account.js';

export const pageLanguages = ['en', 'es', 'de'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

export const appearances = ['light', 'dark'] as const;
export type Appearance = (typeof appearances)[number];

/** A person's choices for the pages of the backoffice. Null follows their browser. */
export interface Preferences {
  language: PageLanguage | null;
  /** A name of the IANA database, e.g. `Europe/Madrid`. */
  timeZone: string | null;
  appearance: Appearance | null;
  /** True when single keys work as shortcuts. */
  shortcuts: boolean;
}

interface PreferencesRow {
  id: number;
  language: PageLanguage | null;
  time_zone: string | null;
  appearance: Appearance | null;
  shortcuts: boolean | number;
}

/** A user's preferences. The defaults for a user who is gone. */
export async function getPreferences(app: WithDb, userId: number): Promise<Preferences> {
  const row = await app.db
    .read<PreferencesRow>('users')
    .where({ id: userId })
    .first('language', 'time_zone', 'appearance', 'shortcuts');
  return {
    language: row?.language ?? null,
    timeZone: row?.time_zone ?? null,
    appearance: row?.appearance ?? null,
    shortcuts: Boolean(row?.shortcuts ?? true),
  };
}

/** Stores the given preferences of the caller. Errors: `invalid_request` for an unknown time zone. */
export async function setPreferences(
  app: App,
  actor: Actor,
  chosen: Partial<Preferences>,
): Promise<void> {
  if (typeof chosen.timeZone === 'string' && !isTimeZone(chosen.timeZone)) {
    throw refusedField(
      'time_zone',
      'is no known time zone; write it as Europe/Madrid',
      'invalid_request',
      { is: 'time_zone' },
    );
  }
  await inTransaction(app, async (app) => {
    const { id, organizationId } = await ownUser(app, actor);
    const before = await getPreferences(app, id);
    const after = { ...before, ...chosen };
    const { language, timeZone: time_zone, appearance, shortcuts } = after;
    const row = { language, time_zone, appearance, shortcuts, updated_at: timestamp(app.clock) };
    await app.db.write('users').where({ id }).update(row);
    const subject = `user:${id}`;
    const change = { organizationId, action: 'user.update', subject, before, after };
    await recordChange(app, actor, change);
  });
}

/** True when a user does not want to see the checklist of a new installation. */
export async function isChecklistHidden(app: WithDb, userId: number): Promise<boolean> {
  const row = await app.db
    .read<{ id: number; hides_checklist: boolean | number }>('users')
    .where({ id: userId })
    .first('hides_checklist');
  return Boolean(row?.hides_checklist ?? false);
}

/** Hides the checklist from the caller, or shows it again. Errors: `forbidden` for the operator. */
export async function hideChecklist(app: App, actor: Actor, hidden: boolean): Promise<void> {
  const { id } = await ownUser(app, actor);
  await app.db.write('users').where({ id }).update({ hides_checklist: hidden });
}
