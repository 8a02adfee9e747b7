import { diffWords } from 'diff';
import { useShown } from './shown.js';

/** Two texts of which most is different take long to compare, and marking them helps nobody. */
const longestMs = 200;

/** A text with what was added to an older one and what was removed from it, told by words and by colour. */
export function Marked({ before, after }: { before: string; after: string }) {
  const { say } = useShown();
  const changes = diffWords(before, after, { timeout: longestMs });
  if (changes === undefined) return <p class="hint">{say.difference.tooMuch}</p>;
  return (
    <div class="text marked">
      {changes.map(({ value, added, removed }, index) => {
        if (added) {
          return (
            <ins key={index}>
              <span class="unseen">[{say.difference.added}: </span>
              {value}
              <span class="unseen">]</span>
            </ins>
          );
        }
        if (removed) {
          return (
            <del key={index}>
              <span class="unseen">[{say.difference.removed}: </span>
              {value}
              <span class="unseen">]</span>
            </del>
          );
        }
        return value;
      })}
    </div>
  );
}

/** What the marks mean. */
export function MarksLegend() {
  const { say } = useShown();
  return (
    <p class="hint" aria-hidden="true">
      <ins>{say.difference.added}</ins> <del>{say.difference.removed}</del>
    </p>
  );
}
