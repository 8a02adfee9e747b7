import type { ChangedEach } from '../../knowledge/change-entries.js';
import { ChangeOutcome } from '../layout/change-outcome.js';
import { useShown } from '../layout/shown.js';
import { batchPath } from './batch-params.js';
import { Emptied } from './replace-preview.js';
import { replacePath, type Wanted } from './replace-path.js';
import { reviewPath } from './review-path.js';

/** Published entries that have the text too, and where they are listed. */
export interface Standing {
  count: number;
  path: string;
}

export function Published({ standing }: { standing: Standing | undefined }) {
  const { say, format, at } = useShown();
  const words = say.documents.replacing;
  if (standing === undefined) return null;
  return (
    <p>
      {words.published(format.number(standing.count))}{' '}
      <a href={at(standing.path)}>{words.openPublished}</a>
    </p>
  );
}

interface OutcomeProps {
  wanted: Pick<Wanted, 'batchId' | 'draft'>;
  done: ChangedEach;
  standing?: Standing | undefined;
  /** The replacement that can be undone; undefined after it was. */
  change?: string;
}

/** What became of a replacement, or of its undo. */
export function Outcome({ wanted, done, standing, change }: OutcomeProps) {
  const { say, format, at } = useShown();
  const words = say.documents.replacing;
  const { batchId } = wanted;
  const count = format.number(done.changed);
  const isEmptied = ({ error }: ChangedEach['refused'][number]) =>
    error.reason?.is === 'left_empty';
  const emptied = done.refused.flatMap((one) =>
    isEmptied(one) ? [{ id: one.id ?? 0, title: one.title ?? one.name }] : [],
  );
  return (
    <ChangeOutcome
      title={words.title}
      told={change === undefined ? words.undone(count) : words.done(count)}
      undo={change === undefined || done.changed === 0 ? undefined : undoOf(wanted, change)}
      refused={done.refused.filter((one) => !isEmptied(one))}
      refusedTitle={words.refused}
      placeOf={({ id, name }) =>
        id === undefined ? `/knowledge/${name}` : reviewPath(batchId, { draft: id })
      }
    >
      <Emptied batchId={batchId} total={emptied.length} first={emptied} />
      <Published standing={standing} />
      <div class="buttons">
        <BackToReview {...wanted} />
        <a class="button" href={at(replacePath(wanted))}>
          {words.another}
        </a>
      </div>
    </ChangeOutcome>
  );
}

/** The form that undoes a replacement. */
export function undoOf({ batchId, draft }: OutcomeProps['wanted'], change: string) {
  const from = draft === undefined ? {} : { draft: String(draft) };
  return { to: replacePath({ batchId, draft }), values: { change, ...from } };
}

export function BackToReview({ batchId, draft }: OutcomeProps['wanted']) {
  const { say, at } = useShown();
  const review = `${batchPath(batchId)}/review`;
  return (
    <a class="button" href={at(draft === undefined ? review : reviewPath(batchId, { draft }))}>
      {say.documents.replacing.back}
    </a>
  );
}
