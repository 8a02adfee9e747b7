import { monoFont } from './office-blocks.js';
import { childrenOf, findElements, makeElement, type Element, type TreeNode } from './tree.js';

/** A style with what it is based on. */
export interface OdtStyle {
  name: string;
  isHidden: boolean;
  isBold: boolean;
  isMono: boolean;
  isUnderlined: boolean;
  isRaised: boolean;
  font: string | undefined;
  size: number | undefined;
  color: string | undefined;
  isShaded: boolean;
  listStyle: string | undefined;
}

const noStyle: OdtStyle = {
  name: '',
  isHidden: false,
  isBold: false,
  isMono: false,
  isUnderlined: false,
  isRaised: false,
  font: undefined,
  size: undefined,
  color: undefined,
  isShaded: false,
  listStyle: undefined,
};
const longestChain = 12;

/** The styles of a text of OpenDocument, by their kind and name. */
export class OdtStyles {
  readonly #elements = new Map<string, Element>();
  readonly #known = new Map<string, OdtStyle>();
  /** In points, of words whose styles state no size. */
  #usualSize = 12;
  /** Of lists: the kind of each level. */
  readonly lists = new Map<string, Map<number, Element>>();

  constructor(roots: readonly Element[]) {
    // The styles of the text itself come first, and count where both have one of a name.
    for (const root of roots) {
      for (const style of findElements(root, ({ name }) => name === 'style:default-style')) {
        if (style.attributes['style:family'] !== 'paragraph') continue;
        const [text] = childrenOf(style, 'style:text-properties');
        this.#usualSize = sizeOf(text?.attributes['fo:font-size'], 0) ?? this.#usualSize;
      }
      for (const style of findElements(root, ({ name }) => name === 'style:style')) {
        const key = `${style.attributes['style:family'] ?? ''} ${style.attributes['style:name'] ?? ''}`;
        if (!this.#elements.has(key)) this.#elements.set(key, style);
      }
      for (const list of findElements(root, ({ name }) => name === 'text:list-style')) {
        const name = list.attributes['style:name'] ?? '';
        const levels = childrenOf(list).map((level): [number, Element] => [
          Number(level.attributes['text:level'] ?? 1),
          level,
        ]);
        if (!this.lists.has(name)) this.lists.set(name, new Map(levels));
      }
    }
  }

  find(
    family: 'paragraph' | 'text' | 'section' | 'table-cell',
    name: string | undefined,
    depth = 0,
  ): OdtStyle {
    if (name === undefined || depth > longestChain) {
      return family === 'paragraph' ? { ...noStyle, size: this.#usualSize } : noStyle;
    }
    const key = `${family} ${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const element = this.#elements.get(key);
    if (element === undefined) return { ...noStyle, name };
    const base = this.find(family, element.attributes['style:parent-style-name'], depth + 1);
    const [text] = childrenOf(element, 'style:text-properties');
    const [section] = childrenOf(element, 'style:section-properties');
    const [paragraph] = childrenOf(element, 'style:paragraph-properties');
    const of = (attribute: string) => text?.attributes[attribute];
    const font = of('style:font-name') ?? of('fo:font-family');
    const [cell] = childrenOf(element, 'style:table-cell-properties');
    const ground =
      of('fo:background-color') ??
      paragraph?.attributes['fo:background-color'] ??
      cell?.attributes['fo:background-color'];
    const own = element.attributes['style:display-name'] ?? name;
    const style: OdtStyle = {
      // Automatic styles have names such as P12: what they are based on tells more.
      name: /^[PT]\d+$/.test(name) && base.name !== '' ? base.name : own,
      isHidden: of('text:display') === undefined ? base.isHidden : of('text:display') === 'none',
      isBold:
        of('fo:font-weight') === undefined
          ? base.isBold
          : /bold|[6-9]00/.test(of('fo:font-weight') ?? ''),
      isMono: font === undefined ? base.isMono : monoFont.test(font),
      isRaised: /^(?:super|[1-9])/.test(of('style:text-position') ?? ''),
      isUnderlined:
        of('style:text-underline-style') === undefined
          ? base.isUnderlined
          : of('style:text-underline-style') !== 'none' && !/link/i.test(name),
      font: font ?? base.font,
      size: sizeOf(of('fo:font-size'), base.size ?? this.#usualSize) ?? base.size,
      color: of('fo:color') ?? base.color,
      isShaded: ground === undefined ? base.isShaded : !/^(?:transparent|#ffffff)$/i.test(ground),
      listStyle: element.attributes['style:list-style-name'] ?? base.listStyle,
    };
    const isHiddenSection = section?.attributes['text:display'] === 'none';
    const found = isHiddenSection ? { ...style, isHidden: true } : style;
    this.#known.set(key, found);
    return found;
  }
}

/** In points: `14pt`, or `120%` of the size of what a style is based on. */
function sizeOf(stated: string | undefined, base: number): number | undefined {
  const [, number, unit] = /^([\d.]+)(pt|%)$/.exec(stated ?? '') ?? [];
  if (number === undefined) return undefined;
  return unit === 'pt' ? Number(number) : (Number(number) * base) / 100;
}

/** Marks nodes that nobody sees as an element of HTML would be. */
export function hiddenBy(style: OdtStyle, isShaded: boolean, nodes: TreeNode[]): TreeNode[] {
  const isWhite = !isShaded && /^#ffffff$/i.test(style.color ?? '');
  const isTiny = style.size !== undefined && style.size < 2;
  const css = style.isHidden
    ? 'display:none'
    : isTiny
      ? 'font-size:0'
      : isWhite
        ? 'color:white'
        : undefined;
  return css === undefined || nodes.length === 0
    ? nodes
    : [makeElement('span', nodes, { style: css })];
}
