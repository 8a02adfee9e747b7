import type { Line, PageLines } from '../../src/pdf/layout/page.js';

/** A line as the layout would make it: 10 points, 5 points a letter. A tab begins the next cell. */
export function makeLine(text: string, overrides: Partial<Line> = {}): Line {
  const x = overrides.x ?? 50;
  const size = overrides.size ?? 10;
  const cells = text.split('\t');
  let at = x;
  const segments = cells.map((cell) => {
    const segment = { text: cell, x: at, right: at + cell.length * size * 0.5 };
    at += 150;
    return segment;
  });
  return {
    page: 1,
    region: 0,
    text: cells.join(' '),
    x,
    right: segments.at(-1)?.right ?? x,
    y: 100,
    size,
    bold: false,
    italic: false,
    mono: false,
    segments,
    ...overrides,
  };
}

/** A page of lines below one another, 12 points apart unless a line has its own position. */
export function makePage(number: number, lines: readonly (string | Partial<Line>)[]): PageLines {
  let y = 88;
  return {
    number,
    width: 595,
    height: 842,
    lines: lines.map((line) => {
      const given: Partial<Line> = typeof line === 'string' ? { text: line } : line;
      y = given.y ?? y + 12;
      const { text = '', ...overrides } = given;
      return makeLine(text, { ...overrides, page: number, y });
    }),
  };
}
