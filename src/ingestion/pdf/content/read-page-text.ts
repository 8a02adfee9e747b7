import type { PdfFont } from '../fonts/font.js';
import { loadFont } from '../fonts/load-font.js';
import type { HiddenReason, HiddenText, PageText, PlacedRun } from '../layout/page.js';
import { Dict, Name, NotUnderstood } from '../syntax/objects.js';
import { contentOf, type PageNode } from '../syntax/page-tree.js';
import type { PdfFile } from '../syntax/pdf-file.js';
import { addListMarks } from './list-marks.js';
import type { Ink } from './ink.js';
import { Interpreter } from './interpreter.js';
import type { Box, Matrix } from './matrix.js';
import { OptionalContent } from './optional-content.js';
import type { FinishedRun } from './run-builder.js';
import { Sight } from './sight.js';

/** Where text stands that nobody sees. */
export interface HiddenArea {
  reason: HiddenReason;
  box: Box;
}

/** The text is a guess, for a font's codes have no known meaning; but it is known where hidden text stands. */
export class Guessed extends NotUnderstood {
  constructor(
    font: string,
    readonly hidden: readonly HiddenArea[],
  ) {
    super(`the codes of font ${font} have no known meaning`);
  }
}

/** What the pages of one file share while they are read. */
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

  /** Throws Guessed, NotUnderstood, and out_of_memory for a stream that swells beyond all measure. */
  read(page: PageNode, number: number): PageText {
    const frame = viewOf(page);
    const { width, height } = frame;
    const finished: FinishedRun<Ink>[] = [];
    const interpreter = new Interpreter(
      frame,
      page.resources,
      (dict) => this.#fontOf(dict),
      this.#layers,
      (run) => finished.push(run),
    );
    interpreter.run(contentOf(page));
    const { painter, vanished, guesses } = interpreter;
    const sight = new Sight(painter.paints, width, height, finished);
    const runs: PlacedRun[] = [];
    const hidden: HiddenText[] = [];
    const areas: HiddenArea[] = [];
    if (vanished.trim() !== '') hidden.push({ page: number, reason: 'tiny', text: vanished });
    for (const each of finished) {
      const reason = sight.reasonHidden(each);
      if (reason === undefined) runs.push({ quarter: each.quarter, run: each.run });
      else {
        hidden.push({ page: number, reason, text: each.run.text });
        areas.push({ reason, box: each.box });
      }
    }
    if (guesses !== undefined) throw new Guessed(guesses, areas);
    if (painter.paints.overflows) hidden.push({ page: number, reason: 'unchecked', text: '' });
    const marked = painter.spots.length === 0 ? runs : addListMarks(runs, painter.spots);
    return { width, height, runs: marked, rules: painter.rules.all, hidden };
  }

  /** Helvetica, where the page does not have the font that it names. */
  #fontOf(dict: Dict = this.#substitute): PdfFont {
    const known = this.#fonts.get(dict);
    if (known !== undefined) return known;
    const font = loadFont(dict);
    this.#fonts.set(dict, font);
    return font;
  }
}

/** From the page's own space to points from its top left corner, as a viewer turns it. */
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
