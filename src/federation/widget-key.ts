import { randomBytes } from 'node:crypto';
import type { WidgetKeyKind } from '../platform/actor.js';
import { newSecret } from '../platform/random-secret.js';

/** The key with which an app's pages call the service. It is public in their HTML. */
export interface WidgetKey {
  id: number;
  organizationId: number;
  appId: number;
  key: string;
  kind: WidgetKeyKind;
  name: string;
  revokedAt: string | null;
  createdAt: string;
  /** The valid secrets for the host's backend, the newest first. */
  secrets: WidgetSecret[];
}

/** A secret of a key. Only its hash is stored. */
export interface WidgetSecret {
  id: number;
  createdAt: string;
  /** Null for the newest secret; otherwise when it expires, because another has replaced it. */
  expiresAt: string | null;
}

/** Returns `wk_live_` and 32 characters. */
export function makeKey(): string {
  return `wk_live_${randomBytes(16).toString('hex')}`;
}

/** Returns `wsk_secret_` and 43 characters. */
export function makeSecret(): string {
  return `wsk_secret_${newSecret()}`;
}
