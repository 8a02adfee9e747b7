import type { PdfFont } from '../fonts/font.js';
import { tooMuch } from '../syntax/bytes.js';
import { Dict, Name, numberAt as num, type Operands, Stream } from '../syntax/objects.js';
import { Keyword, Tokens } from '../syntax/tokens.js';
import {
  applyExtended,
  enterGroup,
  firstState,
  type GraphicsState,
  operateColour,
  setNumber,
} from './graphics-state.js';
import { TextPaintCache, type TextPaint } from './text-visibility.js';
import { readInlineImage, skipInlineImage } from './inline-image.js';
import { boxAround, identity, intersect, multiply, toMatrix, type Matrix } from './matrix.js';
import { Marks, type OptionalContent } from './optional-content.js';
import { isDot, Painter } from './painter.js';
import { Path } from './path.js';
import { RunBuilder, type FinishedRun } from './run-builder.js';
import { TextPen } from './text-pen.js';

const maxStates = 512;
const maxForms = 24;
/** The most forms that a page may draw, including nested ones: forms that multiply forms are an attack. */
const maxDrawnForms = 50_000;
/** The most bytes of all these forms together. */
const maxFormBytes = 256 << 20;
/** No operator takes more operands, but a damaged stream may contain endless numbers. */
const maxOperands = 64;
/**
 * Runs a page's content stream as far as text needs it (ISO 32000-1, 8 and 9): the position, font and colour of text,
 * and the paint before and after it. Nothing is drawn, and no picture is decoded.
 */
export class Interpreter {
  readonly painter = new Painter();
  readonly #builder: RunBuilder<TextPaint>;
  readonly #pen: TextPen<TextPaint>;
  readonly #path = new Path();
  #state: GraphicsState;
  #stack: GraphicsState[] = [];
  #resources: Dict | undefined;
  readonly #inks = new TextPaintCache();
  readonly #marks = new Marks();
  #clipsNext = false;
  readonly #openForms = new Set<Stream>();
  #drawnForms = 0;
  #formBytes = 0;

  constructor(
    { view, width }: { view: Matrix; width: number },
    resources: Dict | undefined,
    readonly fontOf: (dict: Dict | undefined) => PdfFont,
    readonly layers: OptionalContent,
    onRun: (run: FinishedRun<TextPaint>) => void,
  ) {
    this.#state = firstState(view);
    this.#resources = resources;
    this.#builder = new RunBuilder(width, onRun);
    this.#pen = new TextPen(
      this.#builder,
      (state) => this.#inks.paintOf(state, this.painter.count, this.#marks.hides),
      () => fontOf(undefined),
    );
  }

  /** Throws NotUnderstood, and the errors of decoding a stream. */
  run(content: Uint8Array): void {
    this.#runStream(content);
    this.#builder.flush();
  }

  /** Text that was drawn without any size. */
  get vanished(): string {
    return this.#pen.vanished;
  }

  #runStream(content: Uint8Array): void {
    const tokens = new Tokens(content, 0, undefined);
    let operands: Operands[number][] = [];
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      if (!(token instanceof Keyword)) {
        if (operands.length < maxOperands) operands.push(token);
        continue;
      }
      if (token.text === 'BI') this.#drawInlineImage(tokens);
      else this.#operate(token.text, operands);
      if (operands.length > 0) operands = [];
    }
  }

  /** Operators for line styles and devices, and unknown ones, do not affect text. */
  #operate(operator: string, operands: Operands): void {
    const state = this.#state;
    if (this.#pen.operate(operator, operands, state)) return;
    if (this.#operateState(operator, operands, state)) return;
    if (this.#path.operate(operator, operands, state.matrix)) return;
    if (this.#operatePainting(operator, operands, state)) return;
    if (operateColour(state, operator, operands, this.#resources)) this.#inks.invalidate();
  }

  #operateState(operator: string, operands: Operands, state: GraphicsState): boolean {
    switch (operator) {
      case 'Tf':
        this.#setFont(operands, state);
        return true;
      case 'Ts':
        state.rise = num(operands, 0);
        this.#pen.forgetBaseline();
        return true;
      case 'Tr':
        state.mode = num(operands, 0);
        this.#inks.invalidate();
        return true;
      case 'q':
        if (this.#stack.length < maxStates) this.#stack.push({ ...state });
        return true;
      case 'Q':
        this.#restore(this.#stack.pop());
        return true;
      case 'cm':
        state.matrix = multiply(state.matrix, toMatrix(operands));
        this.#pen.forgetBaseline();
        return true;
      case 'gs':
        this.#setExtended(operands, state);
        return true;
      default:
        return setNumber(state, operator, num(operands, 0));
    }
  }

  #restore(state: GraphicsState | undefined): void {
    if (state === undefined) return;
    this.#state = state;
    this.#pen.forgetBaseline();
    this.#inks.invalidate();
  }

  #setFont(operands: Operands, state: GraphicsState): void {
    const [name, size] = operands;
    const dict = name instanceof Name ? this.#resources?.dict('Font')?.dict(name.text) : undefined;
    state.font = dict === undefined ? undefined : this.fontOf(dict);
    state.size = typeof size === 'number' ? size : 0;
    this.#pen.forgetBaseline();
  }

  #setExtended(operands: Operands, state: GraphicsState): void {
    const [name] = operands;
    const extended =
      name instanceof Name ? this.#resources?.dict('ExtGState')?.dict(name.text) : undefined;
    if (extended === undefined) return;
    applyExtended(state, extended, this.fontOf);
    this.#pen.forgetBaseline();
    this.#inks.invalidate();
  }

  #operatePainting(operator: string, operands: Operands, state: GraphicsState): boolean {
    switch (operator) {
      case 'W':
      case 'W*':
        this.#clipsNext = true;
        return true;
      case 'f':
      case 'F':
        this.#endPath(state, true, false);
        return true;
      case 'f*':
        this.#endPath(state, true, false, true);
        return true;
      case 'B':
      case 'b':
        this.#endPath(state, true, true);
        return true;
      case 'B*':
      case 'b*':
        this.#endPath(state, true, true, true);
        return true;
      case 's':
        this.#path.operate('h', [], state.matrix);
        this.#endPath(state, false, true);
        return true;
      case 'S':
        this.#endPath(state, false, true);
        return true;
      case 'n':
        this.#endPath(state, false, false);
        return true;
      case 'sh':
        if (!this.#marks.hides) this.painter.shade(state);
        this.#inks.invalidate();
        return true;
      case 'Do':
        this.#drawObject(operands);
        return true;
      case 'BDC':
        this.#beginMark(operands);
        return true;
      case 'BMC':
        this.#marks.begin(false);
        return true;
      case 'EMC':
        this.#marks.end();
        this.#inks.invalidate();
        return true;
      default:
        return false;
    }
  }

  #endPath(state: GraphicsState, filled: boolean, stroked: boolean, isEvenOdd = false): void {
    const path = this.#path;
    if (filled && !this.#marks.hides) {
      this.painter.fill(path, state, isEvenOdd);
      if (path.isBox && path.box !== undefined) this.#builder.addUnderscore(path.box);
    }
    if (stroked && !this.#marks.hides) {
      this.painter.stroke(path, state);
      const [side] = path.sides;
      if (side !== undefined && path.sides.length === 1) this.#builder.addUnderscore(side);
    }
    if (this.#clipsNext && path.box !== undefined) {
      state.clip = intersect(state.clip, path.box);
      state.clipIsBox &&= path.isBox;
    }
    this.#inks.invalidate();
    this.#clipsNext = false;
    path.clear();
  }

  #drawObject(operands: Operands): void {
    const [name] = operands;
    const object =
      name instanceof Name ? this.#resources?.dict('XObject')?.get(name.text) : undefined;
    if (!(object instanceof Stream)) return;
    const hidden = this.layers.hides(object.dict.dict('OC'));
    if (object.dict.name('Subtype') === 'Form') this.#drawForm(object, hidden);
    else if (!hidden) this.#drawImage(object.dict, object);
  }

  #drawImage(image: Dict, stream?: Stream): void {
    if (this.#marks.hides) return;
    this.painter.drawImage(this.#state, image, stream);
    if (isDot(image)) this.#builder.addUnderscore(boxAround(this.#state.matrix, 0, 0, 1, 1));
    this.#inks.invalidate();
  }

  #drawInlineImage(tokens: Tokens): void {
    const image = readInlineImage(tokens);
    skipInlineImage(tokens);
    this.#drawImage(image);
  }

  #drawForm(form: Stream, hidden: boolean): void {
    // A form that draws itself, or endlessly nested forms, draw nothing more.
    if (this.#openForms.has(form) || this.#openForms.size >= maxForms) return;
    const state = { ...this.#state };
    const stack = this.#stack;
    const resources = this.#resources;
    const place = this.#pen.place;
    this.#openForms.add(form);
    this.#stack = [];
    this.#resources = form.dict.dict('Resources') ?? resources;
    this.#enterForm(form, this.#state);
    const { depth } = this.#marks;
    this.#marks.begin(hidden);
    const content = form.bytes();
    this.#formBytes += content.length;
    if (++this.#drawnForms > maxDrawnForms || this.#formBytes > maxFormBytes)
      throw tooMuch(maxFormBytes);
    this.#runStream(content);
    // Marks that the form left open end with it.
    while (this.#marks.depth > depth) this.#marks.end();
    this.#openForms.delete(form);
    this.#stack = stack;
    this.#resources = resources;
    this.#restore(state);
    this.#pen.goBack(place);
  }

  #enterForm(form: Stream, state: GraphicsState): void {
    state.matrix = multiply(state.matrix, toMatrix(form.dict.numbers('Matrix') ?? identity));
    const [x0, y0, x1, y1] = form.dict.numbers('BBox') ?? [];
    if (x0 !== undefined && y0 !== undefined && x1 !== undefined && y1 !== undefined) {
      state.clip = intersect(state.clip, boxAround(state.matrix, x0, y0, x1, y1));
    }
    if (form.dict.dict('Group')?.name('S') === 'Transparency') enterGroup(state);
    this.#pen.forgetBaseline();
    this.#inks.invalidate();
  }

  #beginMark(operands: Operands): void {
    const [tag, properties] = operands;
    // ActualText is ignored on purpose: it may differ from the visible text.
    const isLayer = tag instanceof Name && tag.text === 'OC' && properties instanceof Name;
    const group = isLayer ? this.#resources?.dict('Properties')?.dict(properties.text) : undefined;
    this.#marks.begin(this.layers.hides(group));
    this.#inks.invalidate();
  }
}
