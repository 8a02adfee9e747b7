import { headingsByLine, type Heading } from './heading.js';
import type { Line, PageLines } from '../layout/page.js';
import { type Block } from '../../sections/block.js';
import { partNumber } from '../../sections/titles.js';
import type { BodyStyle } from './body-style.js';
import { markNotes, separateNotes } from './footnotes.js';
import { joinLines, type Vocabulary } from './hyphenation.js';
import { findLeftEdges } from './left-edges.js';
import { settleBullets } from './lists.js';
import { type Column, partCells } from './table-columns.js';
import { appendRows, findRest, findTable, padding, renderTerms } from './tables.js';
import { BlockBuilder } from './block-builder.js';

/** Lines of one row that may look like more. */
const mostUnruled = 2;

/** True for a row of stars that parts two passages. */
const isOrnament = ({ text, mono }: Line) => !mono && /^[*∗⁎](?:\s*[*∗⁎]){2,}$/u.test(text);

/** Builds the document's blocks: headings, paragraphs, list items, code, tables and footnotes. */
export function buildBlocks(
  pages: readonly PageLines[],
  headings: readonly Heading[],
  body: BodyStyle,
  vocabulary: Vocabulary,
): Block[] {
  const lefts = findLeftEdges(pages);
  const builder = new BlockBuilder(body, vocabulary, lefts);
  const headingsAt = headingsByLine(headings);
  const ofHeading = new Set(headings.flatMap((heading) => heading.lines));
  /** The table without rules at the end of the page before, if there is one. */
  let last: { block: Block; columns: readonly Column[] } | undefined;
  /** Adds the rows with which a page goes on with a table, and tells how many lines they are. */
  const addRest = (lines: readonly Line[]): number => {
    const page = lines[0]?.page ?? 0;
    const ruled = builder.openColumns(page);
    const above = last?.block.pageTo === page - 1 ? last : undefined;
    const columns = ruled ?? above?.columns;
    if (columns === undefined) return 0;
    const inset = ruled === undefined ? 0 : padding;
    const rest = findRest(lines, columns, inset, body, vocabulary, ofHeading);
    if (rest === undefined) return 0;
    // More rows than one would have rules between them.
    if (ruled !== undefined && rest.cells.length > mostUnruled) return 0;
    if (ruled !== undefined) builder.extendTable(rest.cells, page);
    else if (above?.block.text.startsWith('|') === false) {
      const text = renderTerms(rest.cells);
      builder.push({ kind: 'table', text, pageFrom: page, pageTo: page });
    } else if (above !== undefined) {
      above.block.text = appendRows(above.block.text, rest.cells);
      above.block.pageTo = page;
    }
    return rest.count;
  };
  const addLines = (target: BlockBuilder, lines: readonly Line[]) => {
    for (let at = 0; at < lines.length;) {
      const line = lines[at];
      if (line === undefined) break;
      const below = target.resumeBelow(lines, at, ofHeading);
      if (below > at) {
        const floats = new BlockBuilder(body, vocabulary, lefts);
        floats.beginPage(lines.slice(at, below));
        addLines(floats, lines.slice(at, below));
        floats.close();
        const resumed = lines[below];
        if (resumed !== undefined) target.add(resumed, lines[below + 1]);
        target.addFloats(floats.blocks);
        at = below + 1;
        continue;
      }
      for (const heading of headingsAt.get(line) ?? []) {
        const printed = heading.lines
          .map((each) => partNumber(each.text))
          .reduce((a, b) => (a === '' ? b : joinLines(a, b, vocabulary)), '');
        const { title: text, level } = heading;
        const pages = { pageFrom: line.page, pageTo: line.page };
        target.push({ kind: 'heading', text, printed, level, ...pages });
      }
      const isOfHeading = ofHeading.has(line);
      if (isOfHeading || isOrnament(line)) {
        if (!isOfHeading) target.close();
        at++;
        continue;
      }
      if (line.table !== undefined) {
        target.addTable(line.table, line.page);
        at++;
        continue;
      }
      const table = findTable(lines, at, lines.length, body, vocabulary, ofHeading);
      if (table === undefined) target.add(line, lines[at + 1]);
      else {
        const { kind, text, columns } = table;
        const block = { kind, text, pageFrom: line.page, pageTo: line.page };
        target.push(block);
        if (target === builder && kind === 'table' && at + table.count === lines.length)
          last = { block, columns };
      }
      at += table?.count ?? 1;
    }
  };
  for (const page of pages) {
    settleBullets(page.lines);
    partCells(page.lines);
  }
  const noted = separateNotes(pages, body);
  for (const [at, page] of pages.entries()) {
    builder.beginPage(page.lines);
    const { lines, notes } = noted[at] ?? { lines: page.lines, notes: [] };
    if (notes.length > 0) markNotes(lines, notes);
    const from = addRest(lines);
    if (from < lines.length) last = undefined;
    addLines(builder, lines.slice(from));
    for (const note of notes) builder.addNote(note);
  }
  builder.close();
  return builder.blocks;
}
