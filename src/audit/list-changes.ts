import { z } from 'zod';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timesOf, type DaySpan } from '../platform/day-span.js';
import { refusedField } from '../platform/errors.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { presenter } from '../platform/wire-names.js';
import { changesAfter, pageOfChanges } from './audit-log.repository.js';
import type { ChangeFilter, RecordedChange } from './recorded-change.js';

/** The names of authors in the record. */
const actorName = /^(operator|retention|user:\d{1,15})$/;

/**
 * A page of the changes in the actor's organization, newest first. Errors: `invalid_request` for a `to` before `from`,
 * and an invalid author.
 */
export async function listChanges(
  app: App,
  actor: Actor,
  input: Page & ChangeFilter & DaySpan,
): Promise<Paged<RecordedChange>> {
  const { organizationId } = requirePermission(actor, 'administer');
  checkAuthor(input);
  return pageOfChanges(app, organizationId, { ...input, ...timesOf(input) }, input);
}

/** Changes that are read at once. */
const sliceOf = 500;

/**
 * All changes of a filter, newest first, in slices. `identify` is called before each slice, because a long export must
 * end with the right to it. Errors: those of listChanges.
 */
export async function* exportChanges(
  app: App,
  identify: () => Promise<Actor>,
  input: ChangeFilter & DaySpan,
): AsyncGenerator<RecordedChange[]> {
  checkAuthor(input);
  const filter = { ...input, ...timesOf(input) };
  let after: RecordedChange | undefined;
  do {
    const { organizationId } = requirePermission(await identify(), 'administer');
    const slice = await changesAfter(app, organizationId, filter, { after, limit: sliceOf });
    if (slice.length > 0) yield slice;
    after = slice.length < sliceOf ? undefined : slice.at(-1);
  } while (after !== undefined);
}

function checkAuthor(input: ChangeFilter): void {
  if (input.actor !== undefined && !actorName.test(input.actor)) {
    const message = `must be operator or user:<id> (or retention), not ${JSON.stringify(input.actor.slice(0, 80))}`;
    throw refusedField('actor', message);
  }
}

const fields = z.record(z.string(), z.unknown()).nullable();

export const changeReply = z
  .object({
    id: z.number(),
    actor: z
      .string()
      .describe(
        'The author: user:<id>, operator for the command line, or retention for expired data.',
      ),
    action: z.string().describe('What was done, e.g. user.update.'),
    subject: z.string().describe('To what, e.g. user:7.'),
    before: fields.describe('The changed fields before the change; null when the record was new.'),
    after: fields.describe('The same fields after the change; null when the record was deleted.'),
    created_at: z.string().describe('When, ISO 8601 in UTC.'),
  })
  .meta({ id: 'Change' });

export const presentChange = presenter(changeReply);
