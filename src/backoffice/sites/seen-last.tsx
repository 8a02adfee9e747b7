import type { Sighting } from '../../federation/key-sightings.js';
import { useShown } from '../layout/shown.js';
import { Time } from '../layout/time.js';

/** When and on which host the widget was used last. */
export function SeenLast({ seen }: { seen: Sighting | undefined }) {
  const { say } = useShown();
  if (seen === undefined) return <span class="hint">{say.sites.neverSeen}</span>;
  return (
    <>
      <Time iso={seen.seenAt} /> <span class="hint">{say.sites.seenAt(seen.host)}</span>
    </>
  );
}
