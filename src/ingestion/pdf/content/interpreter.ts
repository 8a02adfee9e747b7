import type { PdfFont } from '../fonts/font.js';
import { Dict, isArray, Name, NotUnderstood, Stream, type PdfObject } from '../syntax/objects.js';
import { Keyword, Tokens } from '../syntax/tokens.js';
import {
  black,
  cmyk,
  colourIn,
  colourSpaceOf,
  gray,
  rgb,
  type Colour,
  type ColourSpace,
} from './colours.js';
import { firstState, type GraphicsState } from './graphics-state.js';
import { skipInlineImage } from './inline-image.js';
import {
  boxAround,
  identity,
  intersect,
  multiply,
  toMatrix,
  type Box,
  type Matrix,
} from './matrix.js';
import type { OptionalContent } from './optional-content.js';
import { Paints } from './paints.js';
import { RunBuilder, type Baseline, type FinishedRun } from './run-builder.js';

/** What a run is drawn with, as far as it decides whether the run is seen. */
export interface Ink {
  colour: Colour;
  /** Draws nothing: rendering mode 3, no opacity, or a layer that is switched off. */
  absent: boolean;
  clip: Box;
  /** How many things had been painted before. */
  order: number;
}

const maxStates = 512;
const maxForms = 24;

type Operands = PdfObject[];

/**
 * Runs a page's content stream as far as text needs it (ISO 32000-1, 8 and 9): where text stands, in which font and
 * colour, and what is painted before and after it. Nothing is drawn, and no picture is decoded.
 */
export class Interpreter {
  readonly paints = new Paints();
  readonly #builder: RunBuilder<Ink>;
  #state: GraphicsState;
  #stack: GraphicsState[] = [];
  #resources: Dict | undefined;
  #textMatrix: Matrix = identity;
  #lineMatrix: Matrix = identity;
  /** How far text has come on its line, in text space. */
  #pen = 0;
  #base: Baseline | undefined;
  /** What text is drawn with; to be looked up again when `#inkIsOld`. */
  #ink: Ink | undefined;
  #inkIsOld = true;
  /** How many things have been painted. */
  #painted = 0;
  /** For each open marked content, whether it hides what it holds. */
  readonly #marks: boolean[] = [];
  #hiding = 0;
  /** The path under construction, in page coordinates. */
  #path: Box | undefined;
  #pathParts = 0;
  #pathIsBox = false;
  #currentX = 0;
  #currentY = 0;
  #clipNext = false;
  readonly #openForms = new Set<Stream>();

  constructor(
    view: Matrix,
    resources: Dict | undefined,
    readonly fontOf: (dict: Dict) => PdfFont,
    readonly layers: OptionalContent,
    onRun: (run: FinishedRun<Ink>) => void,
  ) {
    this.#state = firstState(view);
    this.#resources = resources;
    this.#builder = new RunBuilder(onRun);
  }

  /** Throws NotUnderstood, and what decoding a stream throws. */
  run(content: Uint8Array): void {
    this.#runStream(content);
    this.#builder.flush();
  }

  #runStream(content: Uint8Array): void {
    const tokens = new Tokens(content, 0, undefined);
    let operands: Operands = [];
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      if (!(token instanceof Keyword)) {
        // No operator takes more, but a damaged stream may hold numbers without end.
        if (operands.length < 64) operands.push(token);
        continue;
      }
      if (token.text === 'BI') this.#inlineImage(tokens);
      else this.#operate(token.text, operands);
      if (operands.length > 0) operands = [];
    }
  }

  #operate(operator: string, operands: Operands): void {
    switch (operator) {
      case 'Tj':
        this.#show(operands[0]);
        return;
      case 'TJ':
        this.#showAll(operands[0]);
        return;
      case 'Td':
        this.#moveLine(num(operands, 0), num(operands, 1));
        return;
      case 'TD':
        this.#state.leading = -num(operands, 1);
        this.#moveLine(num(operands, 0), num(operands, 1));
        return;
      case 'Tm':
        this.#setTextMatrix(toMatrix(operands));
        return;
      case 'T*':
        this.#moveLine(0, -this.#state.leading);
        return;
      case "'":
        this.#moveLine(0, -this.#state.leading);
        this.#show(operands[0]);
        return;
      case '"':
        this.#state.wordSpace = num(operands, 0);
        this.#state.charSpace = num(operands, 1);
        this.#moveLine(0, -this.#state.leading);
        this.#show(operands[2]);
        return;
      case 'Tf':
        this.#setFont(operands);
        return;
      case 'Tc':
        this.#state.charSpace = num(operands, 0);
        return;
      case 'Tw':
        this.#state.wordSpace = num(operands, 0);
        return;
      case 'Tz':
        this.#state.stretch = num(operands, 0) / 100;
        return;
      case 'TL':
        this.#state.leading = num(operands, 0);
        return;
      case 'Ts':
        this.#state.rise = num(operands, 0);
        this.#base = undefined;
        return;
      case 'Tr':
        this.#state.mode = num(operands, 0);
        this.#inkIsOld = true;
        return;
      case 'BT':
        this.#setTextMatrix(identity);
        return;
      case 'q':
        if (this.#stack.length < maxStates) this.#stack.push({ ...this.#state });
        return;
      case 'Q':
        this.#restore(this.#stack.pop());
        return;
      case 'cm':
        this.#state.matrix = multiply(this.#state.matrix, toMatrix(operands));
        this.#base = undefined;
        return;
      case 'gs':
        this.#setExtended(operands);
        return;
      case 'Do':
        this.#drawObject(operands);
        return;
      case 'BDC':
        this.#beginMark(operands);
        return;
      case 'BMC':
        this.#mark(false);
        return;
      case 'EMC':
        if (this.#marks.pop() === true && --this.#hiding === 0) this.#inkIsOld = true;
        return;
      default:
        if (!this.#operatePath(operator, operands)) this.#operateColour(operator, operands);
    }
  }

  #restore(state: GraphicsState | undefined): void {
    if (state === undefined) return;
    this.#state = state;
    this.#base = undefined;
    this.#inkIsOld = true;
  }

  // Text

  #setTextMatrix(matrix: Matrix): void {
    this.#textMatrix = matrix;
    this.#lineMatrix = matrix;
    this.#pen = 0;
    this.#base = undefined;
  }

  #moveLine(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.#lineMatrix;
    this.#setTextMatrix([a, b, c, d, a * x + c * y + e, b * x + d * y + f]);
  }

  #setFont(operands: Operands): void {
    const [name, size] = operands;
    const fonts = this.#resources?.dict('Font');
    const dict = name instanceof Name ? fonts?.dict(name.text) : undefined;
    this.#state.font = dict === undefined ? undefined : this.fontOf(dict);
    this.#state.size = typeof size === 'number' ? size : 0;
    this.#base = undefined;
  }

  #showAll(items: PdfObject | undefined): void {
    if (items === undefined || !isArray(items)) return;
    const state = this.#state;
    for (const item of items) {
      if (typeof item === 'string') this.#show(item);
      else if (typeof item === 'number') {
        const shift = (-item / 1000) * state.size;
        this.#pen += state.font?.vertical === true ? shift : shift * state.stretch;
      }
    }
  }

  #show(text: PdfObject | undefined): void {
    const state = this.#state;
    const { font } = state;
    if (typeof text !== 'string' || text === '') return;
    if (font === undefined) throw new NotUnderstood('text without a font');
    const base = (this.#base ??= this.#baseline(font.vertical));
    const ink = this.#ink !== undefined && !this.#inkIsOld ? this.#ink : this.#freshInk();
    if (base.size === 0) return;
    const stretch = font.vertical ? 1 : state.stretch;
    for (const glyph of font.decode(text)) {
      const width = glyph.width * state.size * stretch;
      if (!font.understood && glyph.unicode.trim() !== '') {
        throw new NotUnderstood(`the codes of font ${font.name} have no known meaning`);
      }
      this.#builder.add(glyph, font, ink, base, this.#pen, width);
      const spacing = state.charSpace + (glyph.isSpace ? state.wordSpace : 0);
      this.#pen += width + spacing * stretch;
    }
  }

  #baseline(vertical: boolean): Baseline {
    const { matrix, size, rise } = this.#state;
    const [a, b, c, d, e, f] = multiply(matrix, this.#textMatrix);
    // Vertical text runs down its own axis, and is laid out as if the page were turned.
    const [alongX, alongY] = vertical ? [-c, -d] : [a, b];
    const scale = Math.hypot(alongX, alongY);
    // A negative size draws backwards and upside down: turned by half.
    const sign = size < 0 && !vertical ? -1 : 1;
    const directionX = scale === 0 ? 1 : (sign * alongX) / scale;
    const directionY = scale === 0 ? 0 : (sign * alongY) / scale;
    const turns = Math.atan2(directionY, directionX) / (Math.PI / 2);
    const isStraight = Math.abs(turns - Math.round(turns)) < 0.05;
    return {
      x: c * rise + e,
      y: d * rise + f,
      directionX,
      directionY,
      scale: sign * scale,
      size: Math.abs(size) * (vertical ? Math.hypot(a, b) : Math.hypot(c, d)),
      quarter: isStraight ? (Math.round(turns) + 4) % 4 : -1,
    };
  }

  /** The ink as it is now: the same object as before where nothing of it changed, so that a run goes on. */
  #freshInk(): Ink {
    const { mode, fill, stroke, fillAlpha, strokeAlpha, clip } = this.#state;
    const strokes = mode % 4 === 1;
    const colour = strokes ? stroke : fill;
    const alpha = strokes ? strokeAlpha : fillAlpha;
    const absent = mode % 4 === 3 || alpha < 0.02 || this.#hiding > 0;
    const order = this.#painted;
    const before = this.#ink;
    this.#inkIsOld = false;
    if (
      before?.order !== order ||
      before.absent !== absent ||
      before.clip !== clip ||
      !isSame(before.colour, colour)
    ) {
      this.#ink = { colour, absent, clip, order };
    }
    return this.#ink ?? { colour, absent, clip, order };
  }

  // Paths, pictures and forms

  #operatePath(operator: string, operands: Operands): boolean {
    switch (operator) {
      case 're': {
        const [x, y] = [num(operands, 0), num(operands, 1)];
        const [width, height] = [num(operands, 2), num(operands, 3)];
        const [a, b, c, d] = this.#state.matrix;
        const isStraight = (b === 0 && c === 0) || (a === 0 && d === 0);
        this.#extend(boxAround(this.#state.matrix, x, y, x + width, y + height), isStraight);
        return true;
      }
      case 'm':
      case 'l':
        this.#extendTo(num(operands, 0), num(operands, 1));
        return true;
      case 'c':
        this.#extendTo(num(operands, 0), num(operands, 1));
        this.#extendTo(num(operands, 2), num(operands, 3));
        this.#extendTo(num(operands, 4), num(operands, 5));
        return true;
      case 'v':
      case 'y':
        this.#extendTo(num(operands, 0), num(operands, 1));
        this.#extendTo(num(operands, 2), num(operands, 3));
        return true;
      case 'h':
        return true;
      case 'W':
      case 'W*':
        this.#clipNext = true;
        return true;
      case 'f':
      case 'F':
      case 'f*':
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
        this.#endPath(true);
        return true;
      case 'n':
      case 'S':
      case 's':
        this.#endPath(false);
        return true;
      case 'sh':
        this.paints.add({
          box: this.#state.clip,
          colour: undefined,
          solid: true,
          order: ++this.#painted,
        });
        this.#inkIsOld = true;
        return true;
      default:
        return false;
    }
  }

  #extend(box: Box, isBox: boolean): void {
    const path = this.#path;
    this.#path =
      path === undefined
        ? box
        : {
            left: Math.min(path.left, box.left),
            top: Math.min(path.top, box.top),
            right: Math.max(path.right, box.right),
            bottom: Math.max(path.bottom, box.bottom),
          };
    this.#pathIsBox = isBox && path === undefined;
    this.#pathParts++;
  }

  #extendTo(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.#state.matrix;
    const pageX = a * x + c * y + e;
    const pageY = b * x + d * y + f;
    // A rectangle drawn by its sides is one as long as each of them lies along an axis.
    const isSide =
      Math.abs(pageX - this.#currentX) < 0.01 || Math.abs(pageY - this.#currentY) < 0.01;
    const isFirst = this.#path === undefined;
    const wasBox = this.#pathIsBox;
    this.#extend({ left: pageX, right: pageX, top: pageY, bottom: pageY }, false);
    this.#pathIsBox = isFirst || (wasBox && isSide && this.#pathParts <= 5);
    this.#currentX = pageX;
    this.#currentY = pageY;
  }

  #endPath(filled: boolean): void {
    const path = this.#path;
    const state = this.#state;
    if (path !== undefined) {
      if (filled && state.fillAlpha > 0.02 && this.#hiding === 0) {
        const opaque = state.fillAlpha > 0.98 && !state.blended;
        this.paints.add({
          box: intersect(path, state.clip),
          colour: opaque ? state.fill : undefined,
          solid: this.#pathIsBox,
          order: ++this.#painted,
        });
        this.#inkIsOld = true;
      }
      if (this.#clipNext) {
        state.clip = intersect(state.clip, path);
        this.#inkIsOld = true;
      }
    }
    this.#clipNext = false;
    this.#path = undefined;
    this.#pathParts = 0;
    this.#pathIsBox = false;
  }

  #drawObject(operands: Operands): void {
    const [name] = operands;
    const object =
      name instanceof Name ? this.#resources?.dict('XObject')?.get(name.text) : undefined;
    if (!(object instanceof Stream)) return;
    const hidden = this.layers.hides(object.dict.dict('OC'));
    if (object.dict.name('Subtype') === 'Form') this.#drawForm(object, hidden);
    else if (!hidden && this.#hiding === 0) this.#drawImage();
  }

  #drawImage(): void {
    const { matrix, clip } = this.#state;
    this.paints.addImage(intersect(boxAround(matrix, 0, 0, 1, 1), clip), ++this.#painted);
    this.#inkIsOld = true;
  }

  #drawForm(form: Stream, hidden: boolean): void {
    // A form that draws itself, or forms in forms without end, draw nothing more.
    if (this.#openForms.has(form) || this.#openForms.size >= maxForms) return;
    const kept = {
      state: { ...this.#state },
      stack: this.#stack,
      resources: this.#resources,
      textMatrix: this.#textMatrix,
      lineMatrix: this.#lineMatrix,
      pen: this.#pen,
    };
    this.#openForms.add(form);
    this.#stack = [];
    this.#resources = form.dict.dict('Resources') ?? this.#resources;
    const state = this.#state;
    state.matrix = multiply(state.matrix, toMatrix(form.dict.numbers('Matrix') ?? identity));
    const [x0, y0, x1, y1] = form.dict.numbers('BBox') ?? [];
    if (x0 !== undefined && y0 !== undefined && x1 !== undefined && y1 !== undefined) {
      state.clip = intersect(state.clip, boxAround(state.matrix, x0, y0, x1, y1));
    }
    this.#base = undefined;
    this.#inkIsOld = true;
    this.#mark(hidden);
    const depth = this.#marks.length;
    this.#runStream(form.bytes());
    // Marks that the form left open end with it.
    while (this.#marks.length >= depth) if (this.#marks.pop() === true) this.#hiding--;
    this.#openForms.delete(form);
    this.#stack = kept.stack;
    this.#resources = kept.resources;
    this.#restore(kept.state);
    this.#textMatrix = kept.textMatrix;
    this.#lineMatrix = kept.lineMatrix;
    this.#pen = kept.pen;
  }

  #inlineImage(tokens: Tokens): void {
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      if (token instanceof Keyword && token.text === 'ID') break;
    }
    skipInlineImage(tokens);
    if (this.#hiding === 0) this.#drawImage();
  }

  // State, colours and marked content

  #setExtended(operands: Operands): void {
    const [name] = operands;
    const extended =
      name instanceof Name ? this.#resources?.dict('ExtGState')?.dict(name.text) : undefined;
    if (extended === undefined) return;
    const state = this.#state;
    state.fillAlpha = extended.number('ca') ?? state.fillAlpha;
    state.strokeAlpha = extended.number('CA') ?? state.strokeAlpha;
    const blend = extended.get('BM');
    if (blend !== null)
      state.blended = !(blend instanceof Name && /^Normal$|^Compatible$/.test(blend.text));
    const [font, size] = extended.array('Font') ?? [];
    if (font instanceof Dict && typeof size === 'number') {
      state.font = this.fontOf(font);
      state.size = size;
      this.#base = undefined;
    }
    this.#inkIsOld = true;
  }

  #operateColour(operator: string, operands: Operands): void {
    switch (operator) {
      case 'g':
        this.#setFill('gray', gray(num(operands, 0)));
        return;
      case 'rg':
        this.#setFill('rgb', rgb(num(operands, 0), num(operands, 1), num(operands, 2)));
        return;
      case 'k':
        this.#setFill('cmyk', colourIn('cmyk', operands));
        return;
      case 'G':
        this.#setStroke('gray', gray(num(operands, 0)));
        return;
      case 'RG':
        this.#setStroke('rgb', rgb(num(operands, 0), num(operands, 1), num(operands, 2)));
        return;
      case 'K':
        this.#setStroke(
          'cmyk',
          cmyk(num(operands, 0), num(operands, 1), num(operands, 2), num(operands, 3)),
        );
        return;
      case 'cs': {
        const space = colourSpaceOf(operands[0] ?? null, this.#resources);
        this.#setFill(space, space === undefined || space === 'tint' ? undefined : black);
        return;
      }
      case 'CS': {
        const space = colourSpaceOf(operands[0] ?? null, this.#resources);
        this.#setStroke(space, space === undefined || space === 'tint' ? undefined : black);
        return;
      }
      case 'sc':
      case 'scn':
        this.#setFill(this.#state.fillSpace, colourIn(this.#state.fillSpace, operands));
        return;
      case 'SC':
      case 'SCN':
        this.#setStroke(this.#state.strokeSpace, colourIn(this.#state.strokeSpace, operands));
        return;
      default:
      // Line styles, device settings and what this reader has never heard of change no text.
    }
  }

  #setFill(space: ColourSpace, colour: Colour): void {
    this.#state.fillSpace = space;
    if (isSame(this.#state.fill, colour)) return;
    this.#state.fill = colour;
    this.#inkIsOld = true;
  }

  #setStroke(space: ColourSpace, colour: Colour): void {
    this.#state.strokeSpace = space;
    if (isSame(this.#state.stroke, colour)) return;
    this.#state.stroke = colour;
    this.#inkIsOld = true;
  }

  #beginMark(operands: Operands): void {
    const [tag, properties] = operands;
    // ActualText is passed over on purpose: what it says need not be what stands on the page.
    const isLayer = tag instanceof Name && tag.text === 'OC' && properties instanceof Name;
    const group = isLayer ? this.#resources?.dict('Properties')?.dict(properties.text) : undefined;
    this.#mark(this.layers.hides(group));
  }

  #mark(hides: boolean): void {
    this.#marks.push(hides);
    if (hides && ++this.#hiding === 1) this.#inkIsOld = true;
  }
}

function num(operands: Operands, index: number): number {
  const value = operands[index];
  return typeof value === 'number' ? value : 0;
}

function isSame(a: Colour, b: Colour): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2];
}
