import { type PdfFont, unreadable } from '../fonts/font.js';
import type { HiddenText, PageText, PlacedRun } from '../../layout/page.js';
import { Dict, Name } from '../syntax/objects.js';
import { contentOf, type PageNode } from '../syntax/page-tree.js';
import type { PdfFile } from '../syntax/pdf-file.js';
import { Interpreter } from './interpreter.js';
import type { Box, Matrix } from './matrix.js';
import { OptionalContent } from './optional-content.js';
import type { Picture } from './painter.js';
import type { FinishedRun } from './run-builder.js';
import { type TextPaint, TextVisibility } from './text-visibility.js';
import { AppError } from '../../../platform/errors.js';
import { CompositeFont } from '../fonts/composite-font.js';
import { SimpleFont } from '../fonts/simple-font.js';

export interface PagePictures {
  width: number;
  height: number;
  pictures: Picture[];
}

/** The state that the pages of one file share while they are read. */
export class PageReader {
  readonly #fonts = new Map<Dict, PdfFont>();
  readonly #layers: OptionalContent;

  readonly #substitute: Dict;

  constructor(readonly file: PdfFile) {
    this.#substitute = new Dict(file);
    this.#substitute.entries.set('Subtype', Name.of('Type1'));
    this.#substitute.entries.set('BaseFont', Name.of('Helvetica'));
    this.#layers = new OptionalContent(file.trailer.dict('Root'), file);
  }

  /** Throws NotUnderstood, and out_of_memory for a stream that grows beyond its limit. */
  read(page: PageNode, number: number): PageText {
    const frame = viewOf(page);
    const { width, height } = frame;
    const finished: FinishedRun<TextPaint>[] = [];
    const interpreter = new Interpreter(
      frame,
      page.resources,
      (dict) => this.#fontOf(dict),
      this.#layers,
      (run) => finished.push(run),
    );
    interpreter.run(contentOf(page));
    const { painter, vanished } = interpreter;
    const sight = new TextVisibility(painter.paints, width, height, finished);
    const runs: PlacedRun[] = [];
    const hidden: HiddenText[] = [];
    if (vanished.trim() !== '') hidden.push({ page: number, reason: 'tiny', text: vanished });
    for (const each of finished) {
      const { run, quarter } = each;
      const reason = sight.reasonHidden(each) ?? (isReadable(run.text) ? undefined : 'unreadable');
      if (reason === undefined) {
        if (run.text.includes(unreadable)) run.text = run.text.replaceAll(unreadable, '');
        runs.push({ quarter, run });
      } else hidden.push({ page: number, reason, text: run.text });
    }
    if (painter.paints.overflows) hidden.push({ page: number, reason: 'unchecked', text: '' });
    const marked = painter.spots.length === 0 ? runs : addListMarks(runs, painter.spots);
    const scan = {
      share: painter.paints.scanArea / (width * height),
      isLayered: sight.isScan && finished.length > 0,
    };
    const drawings = sight.isScan ? [] : painter.drawings.areas(width, height);
    const { rules, shades } = painter;
    return { width, height, runs: marked, rules: rules.all, shades, drawings, hidden, scan };
  }

  /** The pictures of a page, and its size as a viewer turns it. */
  readPictures(page: PageNode): PagePictures {
    const frame = viewOf(page);
    const interpreter = new Interpreter(
      frame,
      page.resources,
      (dict) => this.#fontOf(dict),
      this.#layers,
      () => undefined,
    );
    interpreter.run(contentOf(page));
    const { width, height } = frame;
    return { width, height, pictures: interpreter.painter.pictures };
  }

  /** Helvetica, when the page does not have the named font. */
  #fontOf(dict: Dict = this.#substitute): PdfFont {
    const known = this.#fonts.get(dict);
    if (known !== undefined) return known;
    const font = loadFont(dict);
    this.#fonts.set(dict, font);
    return font;
  }
}

/** False for text whose signs have mostly no known meaning. The few in other text are left out of it. */
function isReadable(text: string): boolean {
  if (!text.includes(unreadable)) return true;
  const known = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return known >= text.split(unreadable).length - 1;
}

/** Maps the page's own space to points from its top left corner, as a viewer turns it. */
function viewOf(page: PageNode): { view: Matrix; width: number; height: number } {
  const unit = page.dict.number('UserUnit') ?? 1;
  const scale = unit > 0 && unit <= 1000 ? unit : 1;
  const { view, width, height } = turnedView(page);
  const [a, b, c, d, e, f] = view;
  return {
    view: [a * scale, b * scale, c * scale, d * scale, e * scale, f * scale],
    width: width * scale,
    height: height * scale,
  };
}

function turnedView({ box, quarters }: PageNode): { view: Matrix; width: number; height: number } {
  const [left, bottom, right, top] = box;
  const width = right - left;
  const height = top - bottom;
  if (quarters === 1) return { view: [0, 1, 1, 0, -bottom, -left], width: height, height: width };
  if (quarters === 2) return { view: [-1, 0, 0, 1, right, -bottom], width, height };
  if (quarters === 3) return { view: [0, -1, -1, 0, top, right], width: height, height: width };
  return { view: [1, 0, 0, -1, -left, top], width, height };
}

/** The largest distance of a mark from its item, in font sizes. */
const markReach = 2.5;

/** The first run of the line that follows a spot, if any. */
function itemOf(spot: Box, runs: readonly PlacedRun[]): PlacedRun | undefined {
  const middle = (spot.top + spot.bottom) / 2;
  let nearest: PlacedRun | undefined;
  for (const placed of runs) {
    const { run, quarter } = placed;
    if (quarter !== 0 || spot.right - spot.left > run.size) continue;
    const isBeside = middle < run.y && middle > run.y - 0.8 * run.size;
    if (!isBeside) continue;
    // Something to the left: the spot is inside a line or a picture.
    if (run.x < spot.left && run.x + run.width > spot.left - markReach * run.size) return undefined;
    const gap = run.x - spot.right;
    if (gap < 0.1 * run.size || gap > markReach * run.size) continue;
    if (nearest === undefined || run.x < nearest.run.x) nearest = placed;
  }
  return nearest;
}

/**
 * Adds a list mark wherever a spot is drawn before a line. Two spots at one distance from the edge make a list; a
 * single spot may be anything.
 */
function addListMarks(runs: readonly PlacedRun[], spots: readonly Box[]): PlacedRun[] {
  const found = spots.flatMap((spot) => {
    const item = itemOf(spot, runs);
    return item === undefined ? [] : [{ spot, item }];
  });
  const columns = new Map<number, number>();
  for (const { spot } of found) {
    const column = Math.round(spot.left);
    columns.set(column, (columns.get(column) ?? 0) + 1);
  }
  const marks = new Map<PlacedRun, PlacedRun>();
  for (const { spot, item } of found) {
    if ((columns.get(Math.round(spot.left)) ?? 0) < 2) continue;
    const run = { ...item.run, text: '•', x: spot.left, width: spot.right - spot.left };
    marks.set(item, { quarter: 0, run: { ...run, bold: false, italic: false, mono: false } });
  }
  return runs.flatMap((run) => {
    const mark = marks.get(run);
    return mark === undefined ? [run] : [mark, run];
  });
}

/**
 * Loads a font from its dictionary, as far as text needs it. Any dictionary gives a font that can decode. Throws
 * damaged for fonts that would crash other readers.
 */
export function loadFont(dict: Dict): PdfFont {
  try {
    return dict.name('Subtype') === 'Type0' ? new CompositeFont(dict) : new SimpleFont(dict);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The font's objects can't be read, so only codes without a meaning remain.
    return new CompositeFont(new Dict({ resolve: () => null }));
  }
}
