import { isCaptionText } from '../../sections/labels.js';
import { columnKey, type Line } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import { isFloatTitle } from './captions.js';
import { goesOnBelowFigure, isUnfinished } from './paragraphs.js';

/** In lines: a table or a figure with its caption. */
const longestFloat = 80;

/** True for a line directly below another one, as in a paragraph. */
function isNear(above: Line | undefined, line: Line, body: BodyStyle): boolean {
  if (above === undefined || above.table !== undefined || columnKey(above) !== columnKey(line)) {
    return false;
  }
  const size = Math.max(line.size, above.size);
  return (
    line.y - above.y < 1.25 * body.leading * size && Math.abs(line.size - above.size) < 0.05 * size
  );
}

/** True for words that announce what follows, such as a command, but no table and no figure. */
function announces(open: readonly Line[]): boolean {
  const words = open.slice(-2).map(({ text }) => text);
  return /[:：]$/.test(words.at(-1) ?? '') && !/\b(?:tab|fig|abb|cuadro)/iu.test(words.join(' '));
}

/**
 * Where a sentence goes on, or the command that it announces follows, below tables and figures at the top of the next
 * column or page, if they begin at `at`; else `at`.
 * @param open the lines of the open paragraph or item
 * @param barrier the lines of headings
 */
export function resumeBelow(
  open: readonly Line[],
  lines: readonly Line[],
  at: number,
  barrier: ReadonlySet<Line>,
  body: BodyStyle,
): number {
  const previous = open.at(-1);
  const first = lines[at];
  if (previous === undefined || first === undefined) return at;
  if (columnKey(first) === columnKey(previous)) return at;
  const isAnnounced = announces(open);
  if (!isAnnounced && !isUnfinished(previous)) return at;
  if (open.length < 4 && isCaptionText(open[0]?.text ?? '')) return at;
  // The title of a listing stands above the one that is announced.
  const isCaption = isAnnounced ? isCaptionText : isFloatTitle;
  let hasCaption = false;
  for (let next = at; next < Math.min(lines.length, at + longestFloat); next++) {
    const line = lines[next];
    if (line === undefined || barrier.has(line)) return at;
    const isText = line.table === undefined && !line.mono && line.segments.length === 1;
    const goesOn = isAnnounced ? line.mono : isText && goesOnBelowFigure(previous, line);
    const isDirect = isNear(lines[next - 1], line, body);
    if (goesOn && !isDirect) return hasCaption ? next : at;
    // A table without a caption may be what is announced.
    hasCaption ||= isCaption(line.text) || (line.table !== undefined && !isAnnounced);
    const isWide = line.right - line.x > 0.6 * (previous.right - previous.x);
    const isBody = isText && isWide && line.size > 0.95 * body.size;
    if (isBody && !(hasCaption && (isCaption(line.text) || isDirect))) return at;
  }
  return at;
}
