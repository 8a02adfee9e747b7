import type { Rule } from './page.js';

/** Rules whose ends are at most this far apart, in points, meet. */
const touch = 2.5;
/** More rules than this form a drawing. */
const maxRules = 600;
const maxLines = 200;

/** Rules that meet, like the lines between the cells of a table. */
export interface Grid {
  /** Vertical lines from left to right, with their drawn parts. */
  down: Line[];
  /** Horizontal lines from the top. */
  across: Line[];
}

interface Line {
  at: number;
  parts: Rule[];
}

/** Merges rules on one line that touch or overlap. */
function join(rules: readonly Rule[]): Rule[] {
  const sorted = [...rules].sort((a, b) => a.at - b.at || a.from - b.from);
  const joined: Rule[] = [];
  for (let start = 0; start < sorted.length;) {
    const at = sorted[start]?.at ?? 0;
    let end = start;
    while (end < sorted.length && (sorted[end]?.at ?? 0) - at <= touch / 2) end++;
    const line = sorted.slice(start, end).sort((a, b) => a.from - b.from);
    let open: Rule | undefined;
    for (const rule of line) {
      if (open !== undefined && rule.from <= open.to + touch) open.to = Math.max(open.to, rule.to);
      else {
        open = { ...rule };
        joined.push(open);
      }
    }
    start = end;
  }
  return joined;
}

function meet(across: Rule, down: Rule): boolean {
  return (
    down.at >= across.from - touch &&
    down.at <= across.to + touch &&
    across.at >= down.from - touch &&
    across.at <= down.to + touch
  );
}

function groups(across: readonly Rule[], down: readonly Rule[]): Rule[][] {
  const rules = [...across, ...down];
  const leader = rules.map((_, index) => index);
  const find = (index: number): number => {
    let at = index;
    for (let next = leader[at] ?? at; next !== at; next = leader[at] ?? at) at = next;
    leader[index] = at;
    return at;
  };
  across.forEach((a, i) => {
    down.forEach((d, j) => {
      if (meet(a, d)) leader[find(i)] = find(across.length + j);
    });
  });
  const byLeader = new Map<number, Rule[]>();
  rules.forEach((rule, index) => {
    const key = find(index);
    byLeader.set(key, [...(byLeader.get(key) ?? []), rule]);
  });
  return [...byLeader.values()];
}

function toLines(rules: readonly Rule[]): Line[] {
  const lines: Line[] = [];
  for (const rule of [...rules].sort((a, b) => a.at - b.at)) {
    const last = lines.at(-1);
    if (last !== undefined && rule.at - last.at <= touch) last.parts.push(rule);
    else lines.push({ at: rule.at, parts: [rule] });
  }
  return lines;
}

/**
 * Adds missing border lines where the crossing lines end: tables often have no line at their sides, and none where a
 * page ends within them.
 */
function close(lines: Line[], crossing: readonly Rule[], across: boolean): Line[] {
  const start = Math.min(...crossing.map((rule) => rule.from));
  const end = Math.max(...crossing.map((rule) => rule.to));
  const ends = crossing.map((rule) => rule.at);
  const edge = (at: number): Line => ({
    at,
    parts: [{ across, at, from: Math.min(...ends), to: Math.max(...ends) }],
  });
  const first = lines[0];
  const last = lines.at(-1);
  const open = 4 * touch;
  return [
    ...(first === undefined || first.at - start > open ? [edge(start)] : []),
    ...lines,
    ...(last === undefined || end - last.at > open ? [edge(end)] : []),
  ];
}

/** True when a line is drawn over a whole stretch, apart from its ends. */
export function isDrawn(line: Line | undefined, from: number, to: number): boolean {
  const middle = (from + to) / 2;
  return line?.parts.some((part) => part.from <= middle && part.to >= middle) === true;
}

/** The grids with at least two rows and two columns that a page's rules draw. */
export function findGrids(rules: readonly Rule[]): Grid[] {
  const grids: Grid[] = [];
  if (rules.length < 4) return grids;
  const across = join(rules.filter((rule) => rule.across));
  const down = join(rules.filter((rule) => !rule.across));
  if (across.length < 3 || down.length < 1) return grids;
  if (across.length > maxRules || down.length > maxRules) return grids;
  for (const group of groups(across, down)) {
    const groupAcross = group.filter((rule) => rule.across);
    const groupDown = group.filter((rule) => !rule.across);
    if (groupAcross.length < 3 || groupDown.length < 1) continue;
    const grid = {
      down: close(toLines(groupDown), groupAcross, false),
      across: close(toLines(groupAcross), groupDown, true),
    };
    const isTable = grid.down.length >= 3 && grid.across.length >= 3;
    const isSane = grid.down.length <= maxLines && grid.across.length <= maxLines;
    if (isTable && isSane) grids.push(grid);
  }
  return grids;
}
