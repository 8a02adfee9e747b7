import { diffWords, type Change } from 'diff';
import { useShown } from './shown.js';

/** Two texts of which most is different take long to compare, and marking them helps nobody. */
const longestMs = 200;
/** Unchanged lines that are shown before a change and after it. */
const linesAround = 1;
/** Fewer unchanged lines are not worth folding. */
const fewestFolded = 4;

interface DifferencesProps {
  /** Each an older text and the present one. */
  texts: readonly (readonly [before: string, after: string])[];
  lang?: string | undefined;
}

/**
 * Texts with what was added to older ones and what was removed from them, told by words and by colour. Where there is
 * room for two columns, the older text stands on the left. Elsewhere there is one text with both. Unchanged lines far from
 * changes are folded, so that the first change of a long text stands at its top.
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
  const { say, format } = useShown();
  const changes = diffWords(before, after, { timeout: longestMs });
  if (changes === undefined) return <p class="hint">{say.difference.tooMuch}</p>;
  return (
    <>
      {partsOf(linesOf(changes)).map(({ isFar, lines }, index) =>
        isFar && lines.length >= fewestFolded ? (
          <details key={index} class="more">
            <summary>{say.difference.unchanged(format.number(lines.length))}</summary>
            <Sides lines={lines} />
          </details>
        ) : (
          <Sides key={index} lines={lines} />
        ),
      )}
    </>
  );
}

function Sides({ lines }: { lines: readonly Line[] }) {
  return (
    <>
      {lines.map((line, index) => (
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

type Line = Change[];

/** Lines in parts, in their order: those near a change, and those far from any. */
function partsOf(lines: readonly Line[]): { isFar: boolean; lines: Line[] }[] {
  const isChanged = lines.map((line) => line.some(({ added, removed }) => added || removed));
  const parts: { isFar: boolean; lines: Line[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const near = isChanged.slice(Math.max(0, index - linesAround), index + linesAround + 1);
    const isFar = !near.includes(true);
    const part = parts.at(-1);
    if (part?.isFar === isFar) part.lines.push(line);
    else parts.push({ isFar, lines: [line] });
  }
  return parts;
}

/** The changes of lines that stand beside each other: they end where both texts have a line end. */
function linesOf(changes: readonly Change[]): Line[] {
  let line: Line = [];
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
