import type { Entry } from '../../knowledge/entry.js';
import { Badge } from '../layout/badge.js';
import { useShown } from '../layout/shown.js';

/** Draft, published, or waiting until an app claims its domain. */
export function StateBadge({ entry }: { entry: Pick<Entry, 'status' | 'appId'> }) {
  const { say } = useShown();
  const words = say.knowledge.states;
  if (entry.status === 'draft') return <Badge text={words.draft} />;
  if (entry.appId === null) return <Badge tone="warning" text={words.waiting} />;
  return <Badge tone="good" text={words.published} />;
}

/** Where an entry belongs: a domain and its pages, or a whole app. */
export function PlaceOf({ entry }: { entry: Pick<Entry, 'domain' | 'urlPattern'> }) {
  const { say } = useShown();
  return (
    <>
      <span class="whole">{entry.domain ?? say.knowledge.wholeApp}</span>
      {entry.urlPattern === null ? null : <span class="hint"> {entry.urlPattern}</span>}
    </>
  );
}
