import type { PdfFont } from '../fonts/font.js';
import { loadFont } from '../fonts/load-font.js';
import type { HiddenReason, HiddenText, PageText, PlacedRun } from '../layout/page.js';
import { reasonUnseen } from '../layout/unseen.js';
import type { Dict } from '../syntax/objects.js';
import { contentOf, type PageNode } from '../syntax/page-tree.js';
import type { PdfFile } from '../syntax/pdf-file.js';
import { Interpreter, type Ink } from './interpreter.js';
import { areaOf, type Matrix } from './matrix.js';
import { OptionalContent } from './optional-content.js';
import { isCovered, type Paints } from './paints.js';
import type { FinishedRun } from './run-builder.js';

/** A picture over this share of the page is the page itself, scanned; unseen text over it is what was recognised. */
const scanShare = 0.4;

/** What the pages of one file share while they are read. */
export class PageReader {
  readonly #fonts = new Map<Dict, PdfFont>();
  readonly #layers: OptionalContent;

  constructor(readonly file: PdfFile) {
    this.#layers = new OptionalContent(file.trailer.dict('Root'));
  }

  /** Throws NotUnderstood, and out_of_memory for a stream that swells beyond all measure. */
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
    const sight = new Sight(interpreter.paints, width, height, finished);
    const runs: PlacedRun[] = [];
    const hidden: HiddenText[] = [];
    for (const each of finished) {
      const reason = sight.reasonHidden(each);
      if (reason === undefined) runs.push({ quarter: each.quarter, run: each.run });
      else hidden.push({ page: number, reason, text: each.run.text });
    }
    return { width, height, runs, rules: interpreter.rules.all, hidden };
  }

  #fontOf(dict: Dict): PdfFont {
    const known = this.#fonts.get(dict);
    if (known !== undefined) return known;
    const font = loadFont(dict);
    this.#fonts.set(dict, font);
    return font;
  }
}

/** From the page's own space to points from its top left corner, as a viewer turns it. */
function viewOf({ box, quarters }: PageNode): { view: Matrix; width: number; height: number } {
  const [left, bottom, right, top] = box;
  const width = right - left;
  const height = top - bottom;
  if (quarters === 1) return { view: [0, 1, 1, 0, -bottom, -left], width: height, height: width };
  if (quarters === 2) return { view: [-1, 0, 0, 1, right, -bottom], width, height };
  if (quarters === 3) return { view: [0, -1, -1, 0, top, right], width: height, height: width };
  return { view: [1, 0, 0, -1, -left, top], width, height };
}

/** Decides which text of a page a person sees. */
class Sight {
  readonly #covers;
  /** Unseen text on a scan: text recognition wrote it, and the picture shows what it says. */
  readonly #isScan: boolean;

  constructor(
    readonly paints: Paints,
    readonly width: number,
    readonly height: number,
    all: readonly FinishedRun<Ink>[],
  ) {
    this.#covers = paints.covers();
    const letters = (absent: boolean) =>
      all.reduce((sum, each) => sum + (each.ink.absent === absent ? each.run.text.length : 0), 0);
    this.#isScan = paints.imageArea > scanShare * width * height && letters(true) > letters(false);
  }

  reasonHidden({ run, quarter, box, ink }: FinishedRun<Ink>): HiddenReason | undefined {
    if (ink.absent) return this.#isScan ? undefined : 'invisible';
    const unseen = reasonUnseen(run, quarter, this);
    if (unseen !== undefined) return unseen;
    const left = Math.max(0, ink.clip.left);
    const right = Math.min(this.width, ink.clip.right);
    const top = Math.max(0, ink.clip.top);
    const bottom = Math.min(this.height, ink.clip.bottom);
    if (box.left >= right || box.right <= left || box.top >= bottom || box.bottom <= top) {
      return 'off_page';
    }
    if (!this.paints.showsOn(ink.colour, box, ink.order)) return 'colour';
    if (areaOf(box) > 0 && isCovered(box, ink.order, this.#covers)) return 'covered';
    return undefined;
  }
}
