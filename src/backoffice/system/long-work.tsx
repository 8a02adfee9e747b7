import type { WorkState } from '../../platform/long-work.js';
import { Refusal } from '../layout/refusal.js';
import { useShown } from '../layout/shown.js';
import { Time } from '../layout/time.js';

interface LongWorkProps {
  work: WorkState | undefined;
  /** Its name in the address of its events. */
  name: string;
  words: { running: string; ended: string };
}

/** That work is running, or why it failed. The script shows the page anew when it has ended. */
export function LongWork({ work, name, words }: LongWorkProps) {
  const { say, format, at, path, now } = useShown();
  if (work === undefined) return null;
  if (!work.isRunning) {
    return work.failure === undefined ? null : (
      <p class="fault" role="alert">
        <Refusal of={work.failure} />
      </p>
    );
  }
  return (
    <div class="running" data-events={at(`/system/events?work=${name}`)}>
      <p>
        <progress aria-label={words.running} /> {words.running} <Time iso={work.startedAt} />.
      </p>
      <p class="hint" data-scriptless>
        {say.system.asOf(format.clock(now.toISOString()))}{' '}
        <a href={at(path)}>{say.system.lookAgain}</a>
      </p>
      <p class="unseen" role="status" data-ended={words.ended} />
    </div>
  );
}
