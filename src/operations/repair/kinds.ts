import type { Damage } from './damage.js';
import { indexes } from './damaged-indexes.js';
import { counters, passages, searchIndex, vectors } from './damaged-knowledge.js';
import { files, references, state } from './damaged-rows.js';
import { leases } from './stuck-work.js';

/** All kinds of damage in the order of repairs: derived data comes after its source. */
export const kinds: readonly Damage[] = [
  indexes,
  references,
  state,
  leases,
  files,
  passages,
  searchIndex,
  vectors,
  counters,
];

/** Tables that are derived from others. They are rebuilt, so their rows need not be kept. */
const derived: ReadonlySet<string> = new Set([
  'passages',
  'passage_features',
  'passage_vectors',
  'passage_vector_codes',
  'term_segments',
  'term_lists',
  'vocabulary',
  'vector_trust',
  'work_turns',
  'running_answers',
  'provider_sign_ins',
]);

export function isDerived(table: string): boolean {
  return derived.has(table);
}
