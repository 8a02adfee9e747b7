import {
  hasOwnMark,
  hasShade,
  indentOf,
  isLeftOut,
  isRaisedRun,
  isUnderlinedRun,
  shadeOf,
  whyHiddenRun,
  withoutMark,
  type Ground,
} from './docx-elements.js';
import { Numbering } from './docx-numbering.js';
import { readTable } from './docx-table.js';
import { levelOf, listOf, Styles, valueOf, withRunProperties, type Style } from './docx-styles.js';
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
import type { DocumentTree } from './sections-of-tree.js';
import {
  childrenOf,
  findElement,
  findElements,
  isElement,
  lineOf,
  makeElement,
  placeText,
  rawText,
  type Element,
  type TreeNode,
} from './tree.js';

/**
 * Reads a Word file: its text as it is shown when all changes are accepted. Comments, heads and feet, tables of
 * contents and fields are left out. Macros are named and never run, and no relation is followed.
 */
export function readDocx(bytes: Uint8Array): DocumentTree {
  const file = new OfficeFile(bytes);
  const main =
    file.names.find((name) => /^word\/document\d*\.xml$/.test(name)) ?? 'word/document.xml';
  const root = file.part(main);
  const reader = new DocxReader(
    new Styles(file.part('word/styles.xml')),
    new Numbering(file.part('word/numbering.xml')),
    readLinks(file.part(main.replace(/([^/]+)$/, '_rels/$1.rels'))),
  );
  const notes = new Map<string, Element>();
  for (const kind of ['footnote', 'endnote']) {
    const [all] =
      file.part(`word/${kind}s.xml`)?.children.filter((child) => isElement(child)) ?? [];
    for (const note of isElement(all) ? childrenOf(all, `w:${kind}`) : []) {
      // The lines between text and notes are kept as notes, too.
      if (note.attributes['w:type'] !== undefined) continue;
      const blocks = reader.blocksOf(withoutMark(note));
      notes.set(`${kind} ${note.attributes['w:id'] ?? ''}`, officeCell(blocks));
    }
  }
  const body = root === undefined ? undefined : findElement(root, ({ name }) => name === 'w:body');
  if (body !== undefined) placeText(body, ['w:tbl', 'w:tr', 'w:tc', 'w:p', 'w:r', 'w:t']);
  const blocks = body === undefined ? [] : reader.blocksOf(body);
  const text = { blocks, title: reader.title.words, notes };
  return file.treeOf(text, 'docProps/core.xml', /vbaProject\.bin$|^word\/activeX\/.*\.bin$/);
}

/** The addresses of links, by the ids of their relations. */
function readLinks(root: Element | undefined): Map<string, string> {
  const links = new Map<string, string>();
  const [all] = root === undefined ? [] : childrenOf(root, 'Relationships');
  for (const { attributes } of all === undefined ? [] : childrenOf(all, 'Relationship')) {
    if (/\/hyperlink$/.test(attributes['Type'] ?? '')) {
      links.set(attributes['Id'] ?? '', attributes['Target'] ?? '');
    }
  }
  return links;
}

class DocxReader {
  readonly title = new StyledTitle();

  constructor(
    readonly styles: Styles,
    readonly numbering: Numbering,
    readonly links: ReadonlyMap<string, string>,
  ) {}

  blocksOf(parent: Element, ground: Ground = { isShaded: false }): OfficeBlock[] {
    const blocks: OfficeBlock[] = [];
    for (const child of childrenOf(parent)) {
      switch (child.name) {
        case 'w:p':
          for (const block of this.#paragraph(child, ground)) blocks.push(block);
          break;
        case 'w:tbl':
          for (const block of readTable(child, this)) blocks.push(block);
          break;
        case 'w:sdt':
          if (!isLeftOut(child)) {
            for (const content of childrenOf(child, 'w:sdtContent')) {
              blocks.push(...this.blocksOf(content, ground));
            }
          }
          break;
        case 'w:ins':
        case 'w:moveTo':
        case 'w:customXml':
        case 'w:smartTag':
          blocks.push(...this.blocksOf(child, ground));
          break;
        default:
      }
    }
    return blocks;
  }

  #paragraph(paragraph: Element, ground: Ground): OfficeBlock[] {
    const [properties] = childrenOf(paragraph, 'w:pPr');
    const style = this.styles.find(properties && valueOf(properties, 'w:pStyle'));
    // Contents and indexes that are no field box of their own.
    if (/^(?:toc|index|table of figures|verzeichnis) ?\d*$/i.test(style.name)) return [];
    const boxes: OfficeBlock[][] = [];
    const isShaded = ground.isShaded || (properties !== undefined && hasShade(properties));
    const runs: Run[] = [];
    const inline = this.#inline(paragraph, style, { isShaded }, boxes, runs);
    const nodes = withoutShreds(withRaised(inline));
    const text = lineOf(makeElement('p', nodes));
    const behind = boxes.flat();
    const isTitle = /^title$/i.test(style.name);
    if (isTitle && this.title.takes(text)) return behind;
    const stated = properties === undefined ? undefined : levelOf(style.name, properties);
    const level = isTitle ? 1 : (stated ?? style.level);
    if (level !== undefined && ground.isCell !== true) this.title.end();
    const list = listOf(properties, style.list);
    const marker = list === undefined ? undefined : this.numbering.next(list);
    const look = lookOf(runs);
    if (level !== undefined) {
      const numbered =
        marker === undefined || marker === '-'
          ? nodes
          : [`${marker.replace(/(?<=\d\.\d+)\)$/, '')} `, ...nodes];
      return [{ ...look, kind: 'paragraph', nodes: numbered, level }, ...behind];
    }
    if (marker !== undefined && (text !== '' || (ground.isCell === true && marker !== '-'))) {
      const depth = Math.min(8, Math.max(0, list?.level ?? 0));
      return [{ ...look, kind: 'item', nodes, depth, marker }, ...behind];
    }
    const mono = codeStyle.test(style.name) ? 'all' : look.mono;
    const indent = properties === undefined ? 0 : indentOf(properties);
    const kindOf = (properties && shadeOf(properties)) ?? ownStyle(style.name);
    return [{ ...look, kind: 'paragraph', nodes, mono, indent, ground: kindOf }, ...behind];
  }

  /** The runs of a paragraph. Text boxes that hang on it are read behind it. */
  #inline(
    parent: Element,
    style: Style,
    ground: Ground,
    boxes: OfficeBlock[][],
    runs: Run[],
  ): TreeNode[] {
    const nodes: TreeNode[] = [];
    for (const child of childrenOf(parent)) {
      switch (child.name) {
        case 'w:r':
          this.#run(child, style, ground, boxes, runs, nodes);
          break;
        case 'w:hyperlink': {
          const inner = this.#inline(child, style, ground, boxes, runs);
          const href = this.links.get(child.attributes['r:id'] ?? '') ?? '';
          addLink(nodes, inner, href);
          break;
        }
        case 'm:oMath':
        case 'm:oMathPara':
          nodes.push(formulaText(makeElement('math', [child])));
          break;
        case 'w:sdt':
          if (!isLeftOut(child)) nodes.push(...this.#inline(child, style, ground, boxes, runs));
          break;
        case 'w:del':
        case 'w:moveFrom':
        case 'w:pPr':
          break;
        default:
          // Insertions, fields, tags, boxes of content.
          nodes.push(...this.#inline(child, style, ground, boxes, runs));
      }
    }
    return nodes;
  }

  #run(
    run: Element,
    paragraph: Style,
    ground: Ground,
    boxes: OfficeBlock[][],
    runs: Run[],
    line: TreeNode[],
  ): void {
    const [properties] = childrenOf(run, 'w:rPr');
    const named = this.styles.findOfRun(properties && valueOf(properties, 'w:rStyle'));
    const base = {
      ...paragraph,
      isHidden: paragraph.isHidden || named.isHidden,
      isBold: paragraph.isBold || named.isBold,
      isMono: paragraph.isMono || named.isMono,
      font: named.font ?? paragraph.font,
    };
    const style = withRunProperties(base, properties);
    const nodes: TreeNode[] = [];
    for (const child of childrenOf(run)) {
      this.#runPart(child, nodes, ground, boxes, style.font);
      if (hasOwnMark(child)) break;
    }
    if (nodes.length === 0) return;
    const { isBold, isMono } = style;
    const size = style.size === undefined ? undefined : style.size / 2;
    const isUnderlined = isUnderlinedRun(properties);
    runs.push({ text: nodes.map(rawText).join(''), isBold, isMono, isUnderlined, size });
    const placed = isRaisedRun(properties, style, paragraph) ? raised(nodes) : nodes;
    const hidden = whyHiddenRun(style, properties, ground);
    const shown = hidden === undefined ? placed : [makeElement('span', placed, { style: hidden })];
    addNodes(line, shown, { isBold: isBold && !paragraph.isBold, isMono });
  }

  #runPart(
    part: Element,
    nodes: TreeNode[],
    ground: Ground,
    boxes: OfficeBlock[][],
    font: string | undefined,
  ): void {
    const { name, attributes } = part;
    switch (name) {
      case 'w:t':
        for (const child of part.children) {
          if (typeof child === 'string') nodes.push(textInFont(child, font));
        }
        return;
      case 'w:tab':
        nodes.push('\t');
        return;
      case 'w:br':
      case 'w:cr':
        if (attributes['w:type'] !== 'page' && attributes['w:type'] !== 'column')
          nodes.push(makeElement('br'));
        return;
      case 'w:noBreakHyphen':
        nodes.push('-');
        return;
      case 'w:sym': {
        const code = Number.parseInt(attributes['w:char'] ?? '', 16);
        if (Number.isFinite(code) && code > 0 && code < 0x110000)
          nodes.push(textInFont(String.fromCodePoint(code), attributes['w:font']));
        return;
      }
      case 'w:footnoteReference':
      case 'w:endnoteReference': {
        const kind = name === 'w:footnoteReference' ? 'footnote' : 'endnote';
        nodes.push(makeElement('note-ref', [], { ref: `${kind} ${attributes['w:id'] ?? ''}` }));
        return;
      }
      case 'mc:AlternateContent': {
        const chosen = childrenOf(part, 'mc:Choice')[0] ?? childrenOf(part, 'mc:Fallback')[0];
        for (const child of chosen === undefined ? [] : childrenOf(chosen)) {
          this.#runPart(child, nodes, ground, boxes, font);
        }
        return;
      }
      case 'w:drawing':
      case 'w:pict':
      case 'w:object': {
        const found = findElements(part, (element) => element.name === 'w:txbxContent');
        const told = found.map((box) => this.blocksOf(box, { isShaded: true }));
        // Several boxes are a drawing with labels.
        boxes.push(...(told.length > 1 ? told.filter(isTold) : told).map(boxed));
        const object = findElement(part, (element) => element.name === 'o:OLEObject');
        if (/^Equation|^MathType/i.test(object?.attributes['ProgID'] ?? '')) {
          nodes.push(` ${unreadFormula} `);
        }
        const about = findElement(part, (element) => element.name === 'wp:docPr');
        const alt = about?.attributes['descr'];
        if (alt !== undefined && found.length === 0) nodes.push(makeElement('img', [], { alt }));
        return;
      }
      case 'w:ruby':
        for (const base of childrenOf(part, 'w:rubyBase')) {
          for (const run of childrenOf(base, 'w:r')) {
            for (const child of childrenOf(run)) this.#runPart(child, nodes, ground, boxes, font);
          }
        }
        return;
      default:
    }
  }
}
