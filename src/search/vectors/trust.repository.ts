import { visibilities, type Visibility } from '../../platform/actor.js';
import type { WithDb } from '../../platform/app.js';
import type { SearchScope } from '../passages/scope.js';
import type { Trust } from './trust.js';

/** Whose trust: that of an organization's readers who see a tier and the wider ones. */
export interface TrustOwner {
  generationId: number;
  organizationId: number;
  visibility: Visibility;
}

interface TrustRow {
  generation_id: number;
  organization_id: number;
  visibility: Visibility;
  trust: string;
  passages: number;
}

/**
 * The trust in a generation's vectors for one who searches: estimated from passages of the reader's own organization
 * and tiers, so that it tells nothing of others. Undefined until there are enough of them.
 */
export async function findTrust(
  app: WithDb,
  generationId: number,
  { organizationId, tiers }: Pick<SearchScope, 'organizationId' | 'tiers'>,
): Promise<Trust | undefined> {
  const rows = await app.db
    .read<TrustRow>('vector_trust')
    .where({ generation_id: generationId, organization_id: organizationId })
    .whereIn('visibility', tiers);
  const byTier = ({ visibility }: TrustRow) => visibilities.indexOf(visibility);
  const row = rows.sort((a, b) => byTier(b) - byTier(a))[0];
  return (
    row && { byLanguage: JSON.parse(row.trust) as Trust['byLanguage'], passages: row.passages }
  );
}

/** Of how many passages each trust was estimated. */
export async function listTrusted(app: WithDb): Promise<(TrustOwner & { passages: number })[]> {
  const rows = await app.db.read<TrustRow>('vector_trust');
  return rows.map(({ generation_id, organization_id, visibility, passages }) => {
    return { generationId: generation_id, organizationId: organization_id, visibility, passages };
  });
}

/** Stores a trust in place of the one before; undefined takes it away. */
export async function saveTrust(
  app: WithDb,
  { generationId, organizationId, visibility }: TrustOwner,
  trust: Trust | undefined,
): Promise<void> {
  const key = { generation_id: generationId, organization_id: organizationId, visibility };
  await app.db.write('vector_trust').where(key).delete();
  if (trust === undefined) return;
  const { byLanguage, passages } = trust;
  await app.db
    .write('vector_trust')
    .insert({ ...key, trust: JSON.stringify(byLanguage), passages });
}
