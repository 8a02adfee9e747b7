import { columnKey, type Line, type PageLines } from '../layout/page.js';
import { type Likeness, likenessOf } from '../layout/program-signs.js';
import type { BodyStyle } from './body-style.js';
import { isBullet, markerOf } from './lists.js';

/** A listing has at least so many lines. One line alone stays as it is printed. */
const leastLines = 2;
/** At least this share of them looks like lines of a program. */
const leastLike = 0.6;
/** And at least this share does so for sure. */
const leastSure = 0.25;
/** In lines of the running text: a listing has at most one empty line between two of its own. */
const widestGap = 2.3;
/** A line without a sign of a program ends before this share of its column. */
const longestOpen = 0.75;
/** In characters: a longer line is none of a program, and searching it for signs would take too long. */
const longestLine = 400;
/** Letters that differ so much from those of the running text in size set a listing off. */
const otherSize = 0.04;

interface Candidate {
  line: Line;
  likeness: Likeness;
}

function likenessIn(line: Line, right: number, left: number): Likeness {
  if (/^[{}]$/.test(line.text)) return 'sure';
  if (line.table !== undefined || line.bold || line.mono) return 'never';
  if (line.text.length > longestLine) return 'never';
  const marker = markerOf(line);
  if (marker !== '' && (isBullet(marker) || /^\(?\d/.test(marker)) && marker !== '*')
    return 'never';
  return likenessOf(line.text, line.right - left > longestOpen * (right - left));
}

/** True for lines of one listing, one below the other. */
function isNext(above: Line, line: Line, body: BodyStyle): boolean {
  const size = Math.max(above.size, line.size);
  const gap = line.y - above.y;
  const isAlike = size < 1.06 * Math.min(above.size, line.size);
  return (
    columnKey(above) === columnKey(line) &&
    isAlike &&
    gap > 0 &&
    gap < widestGap * body.leading * size
  );
}

const isLike = ({ likeness }: Candidate) => likeness === 'sure' || likeness === 'likely';

/** A command behind its prompt, which is a listing even alone. */
const command = /^(?:\$ (?:> ?)?|>>> )[a-z./]/;

/** True for lines that are a listing on their own. */
function isListing(found: readonly Candidate[], body: BodyStyle): boolean {
  const [first] = found;
  if (found.length < leastLines) return first !== undefined && command.test(first.line.text);
  const sure = found.filter(({ likeness }) => likeness === 'sure').length;
  const isSetOff = found.some(
    ({ line }) => Math.abs(line.size - body.size) > otherSize * body.size,
  );
  if (sure < (isSetOff ? 1 : 2) || sure < leastSure * found.length) return false;
  const inColumns = found.filter(({ line }) => line.segments.length > 1).length;
  return inColumns <= 0.5 * found.length && found.filter(isLike).length >= leastLike * found.length;
}

/** Marks the lines of a listing; trims what only may belong to it at both ends. */
function settle(stretch: readonly Candidate[], body: BodyStyle): void {
  const first = stretch.findIndex(isLike);
  const found = first < 0 ? [] : stretch.slice(first, stretch.findLastIndex(isLike) + 1);
  if (!isListing(found, body)) return;
  for (const { line } of found) line.mono = true;
}

/** A name in small letters, or a remark, and then what hardly any heading has: an option, a path, a pipe, a prompt. */
const typed =
  /^(?:[#$] ?)?(?!\d)[\p{Ll}\d*./~][^\p{Lu}\s:]*(?=\s)(?:.*\s--?\p{L}|.*\s?[|>]\s|.*(?:^|\s)[.~]?\/\w)|^#!\//u;

/** Marks a command to type: a bold line, or several, below a sentence that announces them with a colon. */
function markCommands(lines: readonly Line[], body: BodyStyle): void {
  for (const [at, line] of lines.entries()) {
    const above = lines[at - 1];
    if (above === undefined || above.bold || above.mono || !/[:：]$/.test(above.text)) continue;
    if (!line.bold || line.text.length > longestLine || !typed.test(line.text)) continue;
    line.mono = true;
    for (let next = at + 1; next < lines.length; next++) {
      const [last, other] = [lines[next - 1], lines[next]];
      if (last === undefined || other?.bold !== true || !isNext(last, other, body)) break;
      other.mono = true;
    }
  }
}

/**
 * Marks the lines of listings in proportional type as monospaced: consecutive lines that look like those of a program or
 * of a dialogue with one, that end far from the edge, and none of which holds a sentence. So are commands in bold.
 */
export function markListings(pages: readonly PageLines[], body: BodyStyle): void {
  for (const { lines } of pages) {
    const edges = new Map<string, { left: number; right: number }>();
    for (const line of lines) {
      const known = edges.get(columnKey(line));
      edges.set(columnKey(line), {
        left: Math.min(known?.left ?? line.x, line.x),
        right: Math.max(known?.right ?? line.right, line.right),
      });
    }
    let stretch: Candidate[] = [];
    const end = () => {
      settle(stretch, body);
      stretch = [];
    };
    markCommands(lines, body);
    for (const line of lines) {
      const { left, right } = edges.get(columnKey(line)) ?? { left: line.x, right: line.right };
      const likeness = likenessIn(line, right, left);
      const last = stretch.at(-1)?.line;
      if (likeness === 'never' || (last !== undefined && !isNext(last, line, body))) end();
      if (likeness !== 'never') stretch.push({ line, likeness });
    }
    end();
  }
}
