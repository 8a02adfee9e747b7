import { greatest, least, type Line, type Rule } from './page.js';

/** Marks the lines with cells that have a rule between them and the next line. */
function markUnderlined(lines: readonly Line[], rules: readonly Rule[]): void {
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (line.segments.length < 2 || next?.region !== line.region) continue;
    const isBelow = ({ at, from, to }: Rule) =>
      at > line.y && at < next.y - 0.4 * next.size && from < line.x + 1 && to > line.right - 1;
    if (next.y > line.y && rules.some(isBelow)) line.underlined = true;
  }
}

/** Of a column's width: the rule above footnotes. */
const noteRule = { least: 0.15, most: 0.75 };
/** In font sizes: the distance of a footnote from the rule above it. */
const ruleDistance = 2.5;

/** Marks the lines that may begin the footnotes of a column. */
function markBelowRule(lines: readonly Line[], rules: readonly Rule[]): void {
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above?.region !== line.region || above.table !== undefined || above.y >= line.y) continue;
    const top = Math.max(above.y + 1, line.y - ruleDistance * line.size);
    const between = rules.filter(({ at }) => at > top && at < line.y - 0.5 * line.size);
    if (between.length === 0) continue;
    const column = lines.filter(({ region }) => region === line.region);
    const [left, right] = [least(column, ({ x }) => x), greatest(column, (each) => each.right)];
    const isAbove = ({ from, to }: Rule) =>
      Math.abs(from - left) < 3 &&
      to - from > noteRule.least * (right - left) &&
      to - from < noteRule.most * (right - left);
    if (between.some(isAbove)) line.belowRule = true;
  }
}

/** Marks the lines that the rules above or below them show to be the heading of a table, or the first footnote. */
export function markRuledLines(lines: readonly Line[], rules: readonly Rule[]): void {
  const across = rules.filter((rule) => rule.across);
  if (across.length === 0) return;
  markUnderlined(lines, across);
  markBelowRule(lines, across);
}
