import { diffWords, type Change } from 'diff';
import { useShown } from './shown.js';

/** Two texts of which most is different take long to compare, and marking them helps nobody. */
const longestMs = 200;

interface DifferencesProps {
  /** Each an older text and the present one. */
  texts: readonly (readonly [before: string, after: string])[];
  lang?: string | undefined;
}

/**
 * Texts with what was added to older ones and what was removed from them, told by words and by colour. Where there is
 * room for two columns, the older text stands on the left. Elsewhere there is one text with both.
 */
export function Differences({ texts, lang }: DifferencesProps) {
  const { say } = useShown();
  return (
    <div class="compared">
      <p class="hint sides" aria-hidden="true">
        <del>{say.difference.removed}</del> <ins>{say.difference.added}</ins>
      </p>
      {texts.map(([before, after], index) => (
        <div key={index} class="marked" lang={lang}>
          <Marked before={before} after={after} />
        </div>
      ))}
    </div>
  );
}

function Marked({ before, after }: { before: string; after: string }) {
  const { say } = useShown();
  const changes = diffWords(before, after, { timeout: longestMs });
  if (changes === undefined) return <p class="hint">{say.difference.tooMuch}</p>;
  return (
    <>
      {linesOf(changes).map((line, index) => (
        <div key={index} class="sides">
          <div class="text then">
            <Pieces of={line.filter(({ added }) => !added)} />
          </div>
          <div class="text now">
            <Pieces of={line} />
          </div>
        </div>
      ))}
    </>
  );
}

/** The changes of lines that stand beside each other: they end where both texts have a line end. */
function linesOf(changes: readonly Change[]): Change[][] {
  let line: Change[] = [];
  const lines = [line];
  const endLine = () => {
    line = [];
    lines.push(line);
  };
  for (const change of changes) {
    if (change.added || change.removed) {
      line.push(change);
      continue;
    }
    if (line.at(-1)?.value.endsWith('\n') === true) endLine();
    for (const [index, value] of change.value.split(/(?<=\n)(?!\n)/).entries()) {
      if (index > 0) endLine();
      if (value !== '') line.push({ ...change, value });
    }
  }
  return lines.filter((one) => one.length > 0);
}

function Pieces({ of }: { of: readonly Change[] }) {
  const { say } = useShown();
  return (
    <>
      {of.map(({ value, added, removed }, index) => {
        if (!added && !removed) return value;
        const Mark = added ? 'ins' : 'del';
        return (
          <Mark key={index}>
            <span class="unseen">[{added ? say.difference.added : say.difference.removed}: </span>
            {value}
            <span class="unseen">]</span>
          </Mark>
        );
      })}
    </>
  );
}
