import { z } from 'zod';
import type { SpanInput } from '../../conversations/span.js';
import { languages } from '../../language/language-pack.js';
import { channels } from '../../usage/payer.js';
import { choiceOf } from '../layout/filters.js';

/** Channels of people. */
export const countedChannels = channels.filter((one) => one !== 'cli');
const day = z.iso.date().or(z.literal('')).catch('').default('');
const appNumber = z
  .string()
  .regex(/^\d{0,9}$/)
  .catch('')
  .default('');

/** The filters of the figures. */
export const insightsQuery = z.object({
  from: day,
  to: day,
  app: appNumber,
  channel: choiceOf(countedChannels),
  language: choiceOf(languages),
});
export type InsightsQuery = z.output<typeof insightsQuery>;

export const inputOf = ({ from, to, app, channel, language }: InsightsQuery): SpanInput => ({
  from: from || undefined,
  to: to || undefined,
  appId: app === '' ? undefined : Number(app),
  channel: channel || undefined,
  language: language || undefined,
});
