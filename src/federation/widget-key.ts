import { randomBytes } from 'node:crypto';
import type { WidgetKeyKind } from '../platform/actor.js';
import { newSecret } from '../platform/random-secret.js';

/** A key with which an app's pages call. It is no secret: it stands in their HTML. */
export interface WidgetKey {
  id: number;
  organizationId: number;
  appId: number;
  key: string;
  kind: WidgetKeyKind;
  name: string;
  revokedAt: string | null;
  createdAt: string;
  /** Those that the host's backend may show now, the newest first. */
  secrets: WidgetSecret[];
}

/** A secret of a key, of which only the hash is known. */
export interface WidgetSecret {
  id: number;
  createdAt: string;
  /** Null for the newest one; else when it ceases to hold, since another took its place. */
  expiresAt: string | null;
}

/** `wk_live_` and 32 characters. */
export function makeKey(): string {
  return `wk_live_${randomBytes(16).toString('hex')}`;
}

/** `wsk_secret_` and 43 characters. */
export function makeSecret(): string {
  return `wsk_secret_${newSecret()}`;
}
