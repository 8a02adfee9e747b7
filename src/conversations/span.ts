import { z } from 'zod';
import type { Language } from '../language/language-pack.js';
import { requirePermission, type Actor, type Member } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { refusedField } from '../platform/errors.js';
import { addDays, dayIn, daysIn, serverTimeZone, type ZoneDay } from '../platform/time-zone.js';
import { chooseApp } from '../tenancy/choose-app.js';
import { organizations } from '../tenancy/sites-admin.repository.js';
import type { Channel } from '../usage/payer.js';

/** The filter of the counted questions. Days are those of the organization's time zone. */
export interface SpanInput {
  /** `YYYY-MM-DD`. Default: 29 days before `to`. */
  from?: string | undefined;
  /** Included. Default: today. */
  to?: string | undefined;
  appId?: number | undefined;
  channel?: Channel | undefined;
  language?: Language | undefined;
}

export interface Span {
  from: string;
  to: string;
  timeZone: string;
  days: ZoneDay[];
}

const defaultDays = 30;
/** A year and its leap day: a chart shows no more. */
const mostDays = 366;
/** Far from the ends of the calendar, so that the days around a span have years of four digits too. */
const day = z.iso.date().refine((text) => text >= '1970' && text < '9000');

/** The days of a span in the time zone of an organization. Errors: `invalid_request` for one that is too long. */
export async function readSpan(
  app: App,
  organizationId: number,
  { from, to }: SpanInput,
): Promise<Span> {
  for (const [name, value] of Object.entries({ from, to })) {
    if (value !== undefined && !day.safeParse(value).success) {
      throw refusedField(name, 'is no day since 1970; write it as 2026-03-31', 'invalid_request', {
        is: 'no_day',
      });
    }
  }
  const organization = await organizations.find(app, { id: organizationId });
  const timeZone = organization?.timeZone ?? serverTimeZone();
  const today = dayIn(timeZone, app.clock.now());
  const last = to ?? (from !== undefined && from > today ? from : today);
  const first = from ?? addDays(last, 1 - defaultDays);
  if (last < first)
    throw refusedField(
      'to',
      `is before from (${first}); give the earlier day as from`,
      'invalid_request',
      { is: 'days_turned' },
    );
  if (addDays(first, mostDays) <= last) {
    throw refusedField(
      'from',
      `is too far from to (${last}); count at most ${mostDays} days at once`,
      'invalid_request',
      { is: 'days_many', most: mostDays },
    );
  }
  return { from: first, to: last, timeZone, days: daysIn(timeZone, first, last) };
}

/** As many days before a span. */
export function daysBefore({ from, timeZone, days }: Span): Omit<Span, 'timeZone'> {
  const before = { from: addDays(from, -days.length), to: addDays(from, -1) };
  return { ...before, days: daysIn(timeZone, before.from, before.to) };
}

/** The staff that counts. Errors: `not_found` for an app of another organization. */
export async function requireCounter(
  app: App,
  actor: Actor,
  { appId }: SpanInput,
): Promise<Member> {
  const member = requirePermission(actor, 'conversations.read_all');
  if (appId !== undefined) await chooseApp(app, member, { appId });
  return member;
}
