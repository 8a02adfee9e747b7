import { monoFont } from './office-blocks.js';
import { childrenOf, findElement, type Element } from './tree.js';

/** What a style of Word says about a paragraph or run, with what it takes over from the style that it is based on. */
export interface Style {
  name: string;
  /** The level of a heading, from 1. */
  level: number | undefined;
  list: { numId: string; level: number } | undefined;
  isHidden: boolean;
  isBold: boolean;
  /** In half points. */
  size: number | undefined;
  isMono: boolean;
  font: string | undefined;
}

const noStyle: Style = {
  name: '',
  level: undefined,
  list: undefined,
  isHidden: false,
  isBold: false,
  size: undefined,
  isMono: false,
  font: undefined,
};

/** Styles may be based on each other in a round. */
const longestChain = 12;

export class Styles {
  readonly #elements = new Map<string, Element>();
  readonly #known = new Map<string, Style>();
  #default = '';
  /** What no style says: the size of the document's words. */
  #base: Style = { ...noStyle, size: 20 };

  constructor(root: Element | undefined) {
    const styles = root === undefined ? undefined : childrenOf(root, 'w:styles')[0];
    const defaults = styles && findElement(styles, ({ name }) => name === 'w:rPrDefault');
    const [run] = defaults === undefined ? [] : childrenOf(defaults, 'w:rPr');
    this.#base = { ...noStyle, size: withRunProperties(this.#base, run).size };
    for (const style of styles === undefined ? [] : childrenOf(styles, 'w:style')) {
      const id = style.attributes['w:styleId'] ?? '';
      this.#elements.set(id, style);
      const isDefault = /^(?:1|true|on)$/.test(style.attributes['w:default'] ?? '');
      if (isDefault && style.attributes['w:type'] === 'paragraph') this.#default = id;
    }
  }

  /** Of a paragraph without a style of its own: the default one. */
  find(id: string | undefined): Style {
    return this.#resolve(id ?? this.#default, 0);
  }

  /** Of a run: nothing without a style of its own. */
  findOfRun(id: string | undefined): Style {
    return id === undefined ? noStyle : this.#resolve(id, 0);
  }

  /** True for a style of tables that shows the first row as their head. */
  hasHead(id: string | undefined, depth = 0): boolean {
    const element = id === undefined ? undefined : this.#elements.get(id);
    if (element === undefined || depth > longestChain) return false;
    const first = childrenOf(element, 'w:tblStylePr').find(
      ({ attributes }) => attributes['w:type'] === 'firstRow',
    );
    if (first === undefined) return this.hasHead(valueOf(element, 'w:basedOn'), depth + 1);
    return findElement(first, ({ name }) => name === 'w:b' || name === 'w:shd') !== undefined;
  }

  #resolve(id: string, depth: number): Style {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const element = this.#elements.get(id);
    if (element === undefined || depth > longestChain) return this.#base;
    const basedOn = valueOf(element, 'w:basedOn');
    const base = basedOn === undefined ? this.#base : this.#resolve(basedOn, depth + 1);
    const [paragraph] = childrenOf(element, 'w:pPr');
    const [run] = childrenOf(element, 'w:rPr');
    const name = valueOf(element, 'w:name') ?? id;
    const style: Style = {
      ...withRunProperties(base, run),
      name,
      level: levelOf(name, paragraph) ?? base.level,
      list: listOf(paragraph, base.list),
    };
    this.#known.set(id, style);
    return style;
  }
}

/** The style with what a run itself says. */
export function withRunProperties(style: Style, run: Element | undefined): Style {
  if (run === undefined) return style;
  const font = childrenOf(run, 'w:rFonts')[0]?.attributes['w:ascii'];
  const size = Number(valueOf(run, 'w:sz'));
  return {
    ...style,
    isHidden: isOn(run, 'w:vanish') ?? style.isHidden,
    isBold: isOn(run, 'w:b') ?? style.isBold,
    size: Number.isFinite(size) && size > 0 ? size : style.size,
    isMono: font === undefined ? style.isMono : monoFont.test(font),
    font: font ?? style.font,
  };
}

/** The value of a property, such as `<w:pStyle w:val="Heading1"/>`. */
export function valueOf(parent: Element, name: string): string | undefined {
  return childrenOf(parent, name)[0]?.attributes['w:val'];
}

/** Whether a switch is on; undefined where the properties do not say. */
function isOn(parent: Element, name: string): boolean | undefined {
  const [found] = childrenOf(parent, name);
  if (found === undefined) return undefined;
  return !/^(?:0|false|off|none)$/.test(found.attributes['w:val'] ?? '');
}

/** The level of a heading, from 1, by the paragraph's outline or the name of its style. */
export function levelOf(name: string, properties: Element | undefined): number | undefined {
  const outline = properties === undefined ? undefined : valueOf(properties, 'w:outlineLvl');
  if (outline !== undefined) {
    const level = Number(outline) + 1;
    return level >= 1 && level <= 9 ? Math.min(6, level) : undefined;
  }
  const named = /^(?:heading|überschrift|título|titre|titolo|encabezado) ?(\d)$/i.exec(name)?.[1];
  return named === undefined ? undefined : Math.min(6, Number(named));
}

/** The list that a paragraph belongs to. What it does not say itself, the number or the level, its style says. */
export function listOf(properties: Element | undefined, base: Style['list']): Style['list'] {
  const [numbering] = properties === undefined ? [] : childrenOf(properties, 'w:numPr');
  const numId = numbering === undefined ? undefined : valueOf(numbering, 'w:numId');
  const level = numbering === undefined ? undefined : valueOf(numbering, 'w:ilvl');
  if (numId !== undefined) return { numId, level: Number(level ?? 0) };
  return base === undefined || level === undefined ? base : { ...base, level: Number(level) };
}
