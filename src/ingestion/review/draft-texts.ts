import { longestText } from '../../knowledge/entry.js';
import { AppError } from '../../platform/errors.js';
import { titleSeparator } from '../../platform/text/heading.js';
import { shorten } from '../../platform/text/shorten.js';

export interface TitledText {
  title: string;
  content: string;
}

/** The longest title that a cut takes from the text itself. */
const longestTitleOfCut = 120;
export const headingMark = /^#{1,6}\s+/;

/**
 * The text of two drafts in a row. The title of the second is lost unless its text begins with it: then it becomes a
 * heading. Errors: `conflict` for a text that is too long for an entry.
 */
export function joinTexts(first: TitledText, second: TitledText): string {
  const start = beginsWithTitle(second) || isContinued(first, second) ? '' : headingOf(second);
  const joined = `${first.content.trimEnd()}\n\n${start}${second.content.trimStart()}`;
  if (joined.length <= longestText) return joined;
  throw new AppError(
    'conflict',
    `Together the drafts have ${joined.length} characters, and an entry may have ${longestText}. Keep them apart.`,
  );
}

function beginsWithTitle({ title, content }: TitledText): boolean {
  const line = firstLine(content);
  return headingMark.test(line) || titleOfLine(line) === title || line.startsWith(title);
}

/** A long section continues under the same title with a number, or with the first words of the part. */
function isContinued(first: TitledText, second: TitledText): boolean {
  const plain = ({ title }: TitledText) => title.replace(/ \(\d+\)$/u, '');
  const words = second.title.slice(plain(first).length + titleSeparator.length).replace(/…$/u, '');
  const isPart = second.title.startsWith(`${plain(first)}${titleSeparator}`);
  return plain(first) === plain(second) || (isPart && firstLine(second.content).includes(words));
}

function headingOf({ title }: TitledText): string {
  return `### ${title.split(titleSeparator).at(-1) ?? title}\n\n`;
}

/**
 * The two parts of a text, cut before the character at `position` (in UTF-16 units, as browsers count them). Refuses
 * with `invalid_request` a place with no text on one of its sides, or inside of a character.
 */
export function cutText(content: string, position: number): { first: string; second: string } {
  const first = content.slice(0, position).trimEnd();
  const second = content.slice(position).trim();
  if (/[\uD800-\uDBFF]$/.test(content.slice(0, position)) && /^[\uDC00-\uDFFF]/.test(second)) {
    throw misplaced('must not be inside of a character');
  }
  if (first.trim() === '' || second === '') {
    throw misplaced('must have text before it and after it');
  }
  return { first, second };
}

function misplaced(message: string): AppError {
  return new AppError(
    'invalid_request',
    `The draft can’t be split there: the position ${message}.`,
    { problems: [{ path: 'position', message }] },
  );
}

/** The title of a part that was cut off: its heading, or else its first line. */
export function titleOfCut(content: string): string {
  return titleOfLine(firstLine(content));
}

function titleOfLine(line: string): string {
  return shorten(line.replace(headingMark, ''), longestTitleOfCut);
}

function firstLine(content: string): string {
  return content.trim().split('\n', 1)[0]?.trim() ?? '';
}

/** A place where a text may be cut: the beginning of a line. */
export interface CutPlace {
  position: number;
  line: string;
}

/** The beginnings of the lines of a text, without empty ones and the first. */
export function cutPlaces(content: string): CutPlace[] {
  const places: CutPlace[] = [];
  let position = 0;
  for (const line of content.split('\n')) {
    if (line.trim() !== '') places.push({ position, line: line.trim() });
    position += line.length + 1;
  }
  return places.slice(1);
}
