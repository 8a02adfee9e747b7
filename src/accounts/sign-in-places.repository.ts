import { createHash } from 'node:crypto';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';

type Store = Pick<App, 'db' | 'clock'>;

/** From where an account was signed in to. */
export interface SignInPlaces {
  isKnown(place: string): Promise<boolean>;
  remember(place: string): Promise<void>;
}

/** How long a place counts as its owner's after the last process that saw a sign-in from there: 90 days. */
const keptMs = 7_776_000_000;

/** The places as the database keeps them: over restarts, and for all servers. */
export function storedPlaces(app: Store): SignInPlaces {
  return {
    async isKnown(place) {
      const row: unknown = await app.db
        .read('sign_in_places')
        .where({ place_hash: hashOf(place) })
        .where('seen_at', '>', timestamp(app.clock, -keptMs))
        .first('place_hash');
      return row !== undefined;
    },
    async remember(place) {
      const row = { place_hash: hashOf(place), seen_at: timestamp(app.clock) };
      await app.db.write('sign_in_places').insert(row).onConflict('place_hash').merge();
      await app.db
        .write('sign_in_places')
        .where('seen_at', '<=', timestamp(app.clock, -keptMs))
        .delete();
    },
  };
}

function hashOf(place: string): string {
  return createHash('sha256').update(place).digest('hex');
}
