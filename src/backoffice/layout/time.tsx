import { useShown } from './shown.js';

/** A time in the person's language and zone, younger than a day as "3 hours ago". `iso` is UTC. */
export function Time({ iso }: { iso: string }) {
  const { format, now } = useShown();
  return (
    <time dateTime={iso} title={format.exactTime(iso)}>
      {format.timeAgo(iso, now)}
    </time>
  );
}
