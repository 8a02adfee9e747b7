import { AppError } from '../platform/errors.js';
import {
  addLink,
  addNodes,
  boxed,
  codeStyle,
  isTold,
  lookOf,
  ownStyle,
  textInFont,
  withoutShreds,
  type OfficeBlock,
  type Run,
} from './office-blocks.js';
import { officeCell } from './office-body.js';
import { OfficeFile, StyledTitle } from './office-file.js';
import { formulaText, unreadFormula } from './office-formulas.js';
import { raised, withRaised } from './office-raised.js';
import { officeTable, type OfficeRow } from './office-table.js';
import { OdtLists } from './odt-lists.js';
import { hiddenBy, OdtStyles, type OdtStyle } from './odt-styles.js';
import type { DocumentTree } from './sections-of-tree.js';
import {
  childrenOf,
  findElement,
  findElements,
  lineOf,
  makeElement,
  placeText,
  type Element,
  type TreeNode,
} from './tree.js';

/** Parts of the text that are made of other parts, or are no text. */
const leftOut =
  /^(?:text:table-of-content|text:.*-index|text:bibliography|text:tracked-changes|text:sequence-decls|text:variable-decls|text:user-field-decls|office:forms|office:annotation(?:-end)?|text:change(?:-start|-end)?|text:note-citation|table:shapes|presentation:.*|text:index-.*)$/;

const nativeFormula = Buffer.from('Equation Native', 'utf16le');

const tableWay = ['table:table', 'table:table-row', 'table:table-cell', 'text:p'];

/**
 * Reads a text of OpenDocument: as it is shown when all changes are accepted. Comments, heads and feet, tables of
 * contents and indexes are left out. Macros are named and never run.
 */
export function readOdt(bytes: Uint8Array): DocumentTree {
  const file = new OfficeFile(bytes);
  const manifest = file.bytesOf('META-INF/manifest.xml');
  if (manifest !== undefined && Buffer.from(manifest).includes('encryption-data')) {
    throw new AppError(
      'encrypted',
      'The file is protected with a password. Save it without one, and upload it again.',
    );
  }
  const content = file.part('content.xml') ?? makeElement('#root');
  const reader = new OdtReader(
    new OdtStyles([content, file.part('styles.xml') ?? makeElement('#root')]),
    (name) => {
      const found = file.bytesOf(name);
      // An object that another program made keeps the name of its kind in its bytes.
      const isFormula = found !== undefined && Buffer.from(found).includes(nativeFormula);
      const object = file.part(`${name}/content.xml`);
      const math = object && findElement(object, (element) => /(?:^|:)math$/.test(element.name));
      return math === undefined ? (isFormula ? unreadFormula : '') : formulaText(math);
    },
  );
  const body = findElement(content, ({ name }) => name === 'office:text');
  if (body !== undefined) placeText(body, tableWay);
  const blocks = body === undefined ? [] : reader.blocksOf(body);
  const text = { blocks, title: reader.title.words, notes: reader.notes };
  return file.treeOf(text, 'meta.xml', /^(?:Basic|Scripts)\/.*\.(?:xml|py|js|bsh|java)$/);
}

class OdtReader {
  readonly title = new StyledTitle();
  /** Formulas have their own space beside them. */
  #isAfterObject = false;
  readonly notes = new Map<string, Element>();
  readonly #lists: OdtLists;

  constructor(
    readonly styles: OdtStyles,
    /** The words of an object within the text, by its name in the file: of a formula. */
    readonly objectText: (name: string) => string,
  ) {
    this.#lists = new OdtLists(styles.lists);
  }

  blocksOf(parent: Element, isShaded = false): OfficeBlock[] {
    return childrenOf(parent).flatMap((child) => this.#block(child, isShaded));
  }

  #block(child: Element, isShaded: boolean): OfficeBlock[] {
    const { name, attributes } = child;
    if (leftOut.test(name)) return [];
    switch (name) {
      case 'text:h':
      case 'text:p':
        return this.#paragraph(child, isShaded);
      case 'text:list':
        return this.#lists.read(child, (each) => this.#block(each, isShaded));
      case 'table:table':
        return this.#table(child);
      case 'text:section': {
        const isHidden =
          this.styles.find('section', attributes['text:style-name']).isHidden ||
          attributes['text:display'] === 'none';
        const blocks = this.blocksOf(child, isShaded);
        if (!isHidden) return blocks;
        return [
          {
            kind: 'element',
            element: { ...officeCell(blocks), name: 'div', attributes: { hidden: '' } },
          },
        ];
      }
      case 'draw:g':
      case 'draw:custom-shape':
        return this.#boxes(child).flat();
      case 'draw:frame':
      case 'draw:text-box':
      case 'text:numbered-paragraph':
        return this.blocksOf(child, true);
      default:
        return [];
    }
  }

  #paragraph(paragraph: Element, isShaded: boolean): OfficeBlock[] {
    const { name, attributes } = paragraph;
    const style = this.styles.find('paragraph', attributes['text:style-name']);
    const boxes: OfficeBlock[][] = [];
    const runs: Run[] = [];
    const isOnGround = isShaded || style.isShaded;
    const inline = this.#inline(paragraph, style, isOnGround, boxes, runs);
    const nodes = withoutShreds(withRaised(inline));
    const text = lineOf(makeElement('p', nodes));
    const behind = boxes.flat();
    const isTitle = /^title$|^titel$|^título$/i.test(style.name) && name === 'text:p';
    if (isTitle && this.title.takes(text)) return behind;
    const stated =
      name === 'text:h'
        ? Number(attributes['text:outline-level'] ?? 1)
        : Number(/^Heading[ _](?:20_)?(\d)/.exec(style.name)?.[1] ?? NaN);
    const own = Number.isFinite(stated) ? Math.min(6, Math.max(1, stated)) : undefined;
    const level = isTitle ? 1 : own;
    if (level !== undefined) this.title.end();
    const look = lookOf(runs);
    const mono = codeStyle.test(style.name) ? 'all' : look.mono;
    const ground = style.isShaded ? style.name : ownStyle(style.name);
    return [{ ...look, kind: 'paragraph', nodes, level, mono, ground }, ...behind];
  }

  /** The text boxes of a drawing or frame that are more than its labels. */
  #boxes(drawing: Element): OfficeBlock[][] {
    const isBox = (element: Element) => childrenOf(element, 'text:p', 'text:list').length > 0;
    const found = isBox(drawing) ? [drawing] : findElements(drawing, isBox);
    return found.map((box) => boxed(this.blocksOf(box, true))).filter(isTold);
  }

  /** The formula or the description of a drawing. Its text boxes are read behind the paragraph. */
  #drawing(
    drawing: Element,
    nodes: TreeNode[],
    boxes: OfficeBlock[][],
    runs: readonly Run[],
  ): void {
    const found = this.#boxes(drawing);
    boxes.push(...found);
    const object = findElement(drawing, (element) => /^draw:object/.test(element.name));
    const name = object?.attributes['xlink:href']?.replace(/^\.\//, '');
    const words = name === undefined ? '' : this.objectText(name);
    if (words !== '') {
      nodes.push(/[\p{L}\p{N}]$/u.test(runs.at(-1)?.text ?? '') ? ' ' : '', words);
      this.#isAfterObject = true;
    }
    const about = findElement(drawing, (element) => /^svg:(?:desc|title)$/.test(element.name));
    if (about !== undefined && found.length === 0 && name === undefined)
      nodes.push(makeElement('img', [], { alt: lineOf(about) }));
  }

  #inline(
    parent: Element,
    style: OdtStyle,
    isShaded: boolean,
    boxes: OfficeBlock[][],
    runs: Run[],
  ): TreeNode[] {
    const nodes: TreeNode[] = [];
    for (const child of parent.children) {
      if (typeof child === 'string') {
        if (this.#isAfterObject && /^[\p{L}\p{N}]/u.test(child)) nodes.push(' ');
        this.#isAfterObject &&= child === '';
        nodes.push(textInFont(child, style.font));
        runs.push({ text: child, ...style });
        continue;
      }
      const { name, attributes } = child;
      if (leftOut.test(name)) continue;
      if (/^draw:(?!a$)/.test(name)) {
        this.#drawing(child, nodes, boxes, runs);
        continue;
      }
      switch (name) {
        case 'text:s':
          nodes.push(' '.repeat(Math.min(200, Number(attributes['text:c'] ?? 1) || 1)));
          break;
        case 'text:tab':
          nodes.push('\t');
          break;
        case 'text:line-break':
          nodes.push(makeElement('br'));
          break;
        case 'text:note': {
          const ref = attributes['text:id'] ?? `note ${this.notes.size}`;
          const [body] = childrenOf(child, 'text:note-body');
          if (body !== undefined) this.notes.set(ref, officeCell(this.blocksOf(body)));
          nodes.push(makeElement('note-ref', [], { ref }));
          break;
        }
        case 'text:a': {
          const inner = this.#inline(child, style, isShaded, boxes, runs);
          addLink(nodes, inner, attributes['xlink:href'] ?? '');
          break;
        }
        case 'text:hidden-text':
        case 'text:hidden-paragraph':
          nodes.push(
            makeElement('span', [attributes['text:string-value'] ?? lineOf(child)], { hidden: '' }),
          );
          break;
        case 'text:span': {
          const own = this.#merged(style, this.styles.find('text', attributes['text:style-name']));
          const inner = this.#inline(child, own, isShaded || own.isShaded, boxes, runs);
          const placed = own.isRaised ? raised(inner) : inner;
          const shown = hiddenBy(own, isShaded || own.isShaded, placed);
          addNodes(nodes, shown, {
            isBold: own.isBold && !style.isBold,
            isMono: own.isMono && !style.isMono,
          });
          break;
        }
        case 'text:ruby':
          for (const base of childrenOf(child, 'text:ruby-base'))
            nodes.push(...this.#inline(base, style, isShaded, boxes, runs));
          break;
        default:
          // Fields, references and tags have their text inside.
          nodes.push(...this.#inline(child, style, isShaded, boxes, runs));
      }
    }
    return parent.name === 'text:p' || parent.name === 'text:h'
      ? hiddenBy(style, isShaded, nodes)
      : nodes;
  }

  #merged(paragraph: OdtStyle, run: OdtStyle): OdtStyle {
    return {
      ...run,
      isHidden: paragraph.isHidden || run.isHidden,
      isBold: paragraph.isBold || run.isBold,
      isMono: paragraph.isMono || run.isMono,
      isUnderlined: paragraph.isUnderlined || run.isUnderlined,
      font: run.font ?? paragraph.font,
      size: run.size ?? paragraph.size,
      color: run.color ?? paragraph.color,
    };
  }

  #table(table: Element): OfficeBlock[] {
    const rowsOf = (parent: Element, isHead: boolean): OfficeRow[] =>
      childrenOf(parent).flatMap((child) => {
        if (child.name === 'table:table-header-rows') return rowsOf(child, true);
        if (/^table:table-(?:rows|row-group)$/.test(child.name)) return rowsOf(child, isHead);
        if (child.name !== 'table:table-row') return [];
        const cells = childrenOf(child, 'table:table-cell').map((cell) => {
          const { attributes } = cell;
          const spanOf = (name: string) => Math.max(1, Number(attributes[name] ?? 1) || 1);
          return {
            blocks: this.blocksOf(cell, true),
            width: Math.min(60, spanOf('table:number-columns-spanned')),
            height: spanOf('table:number-rows-spanned'),
            isShaded: this.styles.find('table-cell', attributes['table:style-name']).isShaded,
          };
        });
        return [{ cells, isHead }];
      });
    return officeTable(rowsOf(table, false), false);
  }
}
