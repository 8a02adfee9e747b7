import { timestamp, type Clock } from '../clock.js';
import type { Database } from '../db/database.js';
import type { TokenRatioStore } from './token-ratio.js';

interface FactRow {
  model: string;
  characters_per_token: number;
  samples: number;
}

/** Stores the learned token ratios in the database, for the next command and the next start. */
export function storedTokenRatios(app: { db: Database; clock: Clock }): TokenRatioStore {
  return {
    async read() {
      const rows = await app.db
        .read<FactRow>('model_facts')
        .select('model', 'characters_per_token', 'samples');
      return rows.map((row) => ({
        model: row.model,
        charactersPerToken: row.characters_per_token,
        samples: row.samples,
      }));
    },
    async write({ model, charactersPerToken, samples }) {
      const row = {
        model: model.slice(0, 200),
        characters_per_token: charactersPerToken,
        samples,
        updated_at: timestamp(app.clock),
      };
      await app.db.write('model_facts').insert(row).onConflict('model').merge();
    },
  };
}
