import type { SourcePlace } from '../../ingestion/review/find-source-places.js';
import { useShown } from './shown.js';

/** Opens the place of an entry in its source, if the source is kept. */
export function SourceLink({ place }: { place: SourcePlace | undefined }) {
  const { say, at } = useShown();
  if (place === undefined) return null;
  const { batchId, entryId } = place;
  return (
    <>
      {' · '}
      <a href={at(`/documents/${batchId}/review?draft=${entryId}`)}>{say.labels.inSource}</a>
    </>
  );
}
