import type { Config } from '../platform/config/schema.js';

/** The days to keep each kind of data; 0 means for ever. */
export type Retention = Config['privacy']['retention'];
export type RetentionKind = keyof Retention;

export const retentionKinds = [
  'conversations',
  'requests',
  'feedback',
  'notifications',
  'usage',
  'audit',
  'sign_in_places',
] satisfies RetentionKind[];

/** The effective retention of an organization: its own days, else those of the configuration. */
export type OrganizationRetention = Record<RetentionKind, { days: number; own: boolean }>;

/** The changes; null returns to the configuration. */
export type RetentionChange = { [Kind in RetentionKind]?: number | null | undefined };

/** More days would exceed a calendar. */
export const longestDays = 36_500;
