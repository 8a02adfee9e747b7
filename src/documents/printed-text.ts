/**
 * What a program adds to a text that it prints: heads and feet of pages, which are lines that stand alone, say the same
 * but for a number, and come again after the same number of lines or beside a form feed; and blanks between words.
 */

/** In lines: shorter and longer pages are none. */
const shortest = 40;
const longest = 100;
/** So many pages tell what their heads and feet are. */
const leastPages = 3;
/** The share of such lines that stand where a page begins or ends. */
const mostly = 0.7;
/** In lines: where a manual page has its head. */
const firstLines = 20;
const manualHead = /^\s*(\S{1,40}\(\d\w{0,3}\))\s{2,}\S.*\s{2,}\1\s*$/;
/** In lines: what stands so near to a form feed is at the edge of its page. */
const nearEdge = 4;

/** The lines of a manual page with its name as its title, for the head `PUMP(1)  Manual  PUMP(1)`, and without its feet. */
export function withoutManualEdges(lines: readonly string[]): readonly string[] {
  const at = lines
    .slice(0, firstLines)
    .findIndex((line) => line.length < widest && manualHead.test(line));
  const [, name = ''] = manualHead.exec(lines[at] ?? '') ?? [];
  if (name === '') return lines;
  const isFoot = (line: string) => line.trimEnd().endsWith(`    ${name}`);
  return lines.flatMap((line, row) =>
    row === at ? [name, '='.repeat(name.length)] : isFoot(line) ? [] : [line],
  );
}

/** The lines without heads and feet of pages, and without the empty lines around them where a sentence goes on. */
export function withoutPages(lines: readonly string[]): string[] {
  const edges = findEdges(lines);
  if (edges.size === 0) return lines.map((line) => line.replaceAll('\f', ''));
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').replaceAll('\f', '');
    if (!edges.has(at)) {
      kept.push(line);
      continue;
    }
    // The foot of a page, the head of the next one, and all empty lines between them.
    let next = at + 1;
    while (next < lines.length && (edges.has(next) || isEmpty(lines[next]))) next++;
    at = next - 1;
    while (kept.length > 0 && isEmpty(kept.at(-1))) kept.pop();
    if (!goesOn(kept.at(-1) ?? '', lines[next] ?? '')) kept.push('');
  }
  return kept;
}

function isEmpty(line = ''): boolean {
  return line.trim() === '';
}

/** True for a line within a sentence that the next page goes on with. */
function goesOn(above: string, below: string): boolean {
  const isEnd = /[.:;!?][)"”»’']?\s*$/.test(above);
  const isSame = above.search(/\S/) === below.search(/\S/);
  return /^[\s\f]*\p{Ll}/u.test(below) ? !isEnd || isSame : isSame && !isEnd && above.length > 60;
}

/** The places of heads and feet. */
function findEdges(lines: readonly string[]): ReadonlySet<number> {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const isAlone = isEmpty(lines[at - 1]) && isEmpty(lines[at + 1]);
    if (!isAlone && !line.startsWith('\f')) continue;
    const key = line.trim().replaceAll(/\d+/g, '#').replaceAll(/\s+/g, ' ');
    if (key === '' || key.length > 100) continue;
    const found = places.get(key);
    if (found === undefined) places.set(key, [at]);
    else found.push(at);
  }
  const isNearFeed = (at: number) =>
    lines.slice(Math.max(0, at - nearEdge + 1), at + nearEdge).some((line) => line.includes('\f'));
  const edges = new Set<number>();
  for (const found of places.values()) {
    if (found.length < leastPages) continue;
    const near = found.filter(isNearFeed);
    if (near.length >= mostly * found.length || isRegular(found))
      for (const at of found) edges.add(at);
  }
  return edges;
}

/** True for places that are mostly whole pages apart. */
function isRegular(places: readonly number[]): boolean {
  const steps = places.slice(1).map((place, at) => place - (places[at] ?? 0));
  const lengths = steps.filter((step) => step >= shortest && step <= longest);
  const counts = new Map<number, number>();
  for (const length of lengths) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [page = 0] = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const whole = steps.filter((step) => step > 0 && step % page === 0);
  return page > 0 && steps.length >= leastPages - 1 && whole.length >= mostly * steps.length;
}

/** In characters: narrower lines are those of tables. */
const narrowest = 55;
/** In characters: no text is wrapped at more. */
const widest = 132;
/** The share of long lines of a justified text that end below each other. */
const justified = 0.5;

/** The lines of a justified text without the blanks that make them equally long. */
export function withSingleBlanks(lines: readonly string[]): readonly string[] {
  const long = lines.filter(({ length }) => length >= narrowest && length <= widest);
  const counts = new Map<number, number>();
  for (const { length } of long) counts.set(length, (counts.get(length) ?? 0) + 1);
  const side = [...counts.keys()].find((one) => (counts.get(one) ?? 0) > justified * long.length);
  if (side === undefined || long.length < 20) return lines;
  return lines.map((line) =>
    line.length === side && /(?:[\p{L}\p{N}]\S* {1,3}){5}/u.test(line)
      ? line.replaceAll(/(?<=\S) {2,3}(?=\S)/g, ' ')
      : line,
  );
}
