import type { Config } from '../platform/config/schema.js';

/** Days that each kind of data is kept; 0 for ever. */
export type Retention = Config['privacy']['retention'];
export type RetentionKind = keyof Retention;

export const retentionKinds = [
  ...(['conversations', 'requests', 'feedback', 'notifications'] as const),
  ...(['usage', 'audit', 'sign_in_places'] as const),
] satisfies RetentionKind[];

/** What an organization keeps: its own days, or, where it has chosen none, those of the configuration. */
export type OrganizationRetention = Record<RetentionKind, { days: number; own: boolean }>;

/** What may be changed; null goes back to the configuration. */
export type RetentionChange = { [Kind in RetentionKind]?: number | null | undefined };

/** More are no time that a calendar has. */
export const longestDays = 36_500;
