import { visibilities, type Visibility } from '../../platform/actor.js';
import type { WithDb } from '../../platform/app.js';
import { countFindable } from '../passages/sample-passages.repository.js';
import { listTrusted, type TrustOwner } from './trust.repository.js';

/** A trust to estimate again; without passages, to delete. */
export interface DueTrust extends TrustOwner {
  /** Those that its readers see. */
  passages: number;
}

/** The least passages for an estimate of the trust in their vectors. */
const leastJudged = 24;
/** Growth or loss of passages after which it is estimated anew. */
const notableChange = 1.5;

/**
 * For each generation, the first trust that is missing, or was estimated with clearly more or fewer passages than its
 * readers see now. Only visible passages count, so that hidden ones affect neither ranking nor the time of a change.
 */
export async function findDueTrust(
  app: WithDb,
  generationIds: readonly number[],
): Promise<Map<number, DueTrust>> {
  const counted = await countFindable(app);
  const trusted = await listTrusted(app);
  const counts = new Map(
    counted.map((one) => [keyOf(one.organizationId, one.visibility), one.passages]),
  );
  const before = new Map(
    trusted.map((one) => [`${one.generationId} ${keyOf(one.organizationId, one.visibility)}`, one]),
  );
  const organizations = new Set([...counted, ...trusted].map((one) => one.organizationId));
  const due = new Map<number, DueTrust>();
  for (const organizationId of [...organizations].sort((a, b) => a - b)) {
    let seen = 0;
    for (const visibility of visibilities) {
      const key = keyOf(organizationId, visibility);
      const own = counts.get(key) ?? 0;
      seen += own;
      // Readers of a tier that has no passages see what readers of the wider one do, and share its trust.
      const passages = own === 0 ? 0 : seen;
      for (const generationId of generationIds) {
        if (due.has(generationId)) continue;
        if (isJudged(passages, before.get(`${generationId} ${key}`)?.passages)) continue;
        due.set(generationId, { generationId, organizationId, visibility, passages });
      }
    }
  }
  return due;
}

function keyOf(organizationId: number, visibility: Visibility): string {
  return `${organizationId} ${visibility}`;
}

function isJudged(passages: number, before: number | undefined): boolean {
  if (before === undefined) return passages < leastJudged;
  return passages > 0 && passages <= notableChange * before && before <= notableChange * passages;
}
