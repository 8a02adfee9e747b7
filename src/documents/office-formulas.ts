import { textOfSymbol } from '../pdf/reader/fonts/symbol-fonts.js';
import { childrenOf, lineOf, type Element } from './tree.js';

/** What stands for a formula that only a picture shows. */
export const unreadFormula = '[formula]';

/** Signs for which LibreOffice's font of formulas had private codes. */
const ownSigns: Record<string, string> = { '\ue083': '+', '\ue09e': '(', '\ue09f': ')' };

/** A formula of Word (OMML) or OpenDocument (MathML) on one line: "x = (−b ± √(b^2−4ac))/(2a)". */
export function formulaText(math: Element): string {
  return joined(partsOf(math)).replaceAll(/\s+/gu, ' ').trim();
}

const nameOf = ({ name }: Element) => name.replace(/^.*:/, '');

/** Factors side by side, with a space behind an index, a power or a fraction. */
function joined(parts: readonly string[]): string {
  return parts.reduce((line, part) => {
    const isFactor = /[_^/][^ ]*[\p{L}\p{N})]$/u.test(line) && /^[\p{L}\p{N}(∂√]/u.test(part);
    return isFactor ? `${line} ${part}` : line + part;
  }, '');
}

function partsOf(element: Element): string[] {
  return childrenOf(element).map(write);
}

function write(element: Element): string {
  const name = nameOf(element);
  const parts = partsOf(element);
  const [first = '', second = '', third = ''] = parts;
  /** The part of Word's formula with this name. */
  const part = (named: string) => {
    const found = childrenOf(element).find((child) => nameOf(child) === named);
    return found === undefined ? '' : joined(partsOf(found));
  };
  const inner = () =>
    childrenOf(element)
      .filter((child) => nameOf(child) === 'e')
      .map(write);
  switch (name) {
    case 't':
      return lineOf(element);
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
    case 'ms': {
      const text = lineOf(element)
        .replaceAll(/[\uf020-\uf0ff]/g, (sign) => textOfSymbol('Symbol', sign.charCodeAt(0) & 0xff))
        .replaceAll(/[\ue083\ue09e\ue09f]/g, (sign) => ownSigns[sign] ?? '');
      return /^[=<>≤≥≈≠≡→⇒]$/u.test(text) ? ` ${text} ` : text;
    }
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
    case 'instrText':
      return '';
    case 'mspace':
      return ' ';
    case 'f':
      return `${group(part('num'))}/${group(part('den'))}`;
    case 'mfrac':
      return `${group(first)}/${group(second)}`;
    case 'sSub':
    case 'sSup':
    case 'sSubSup':
    case 'sPre':
      return part('e') + script('_', part('sub')) + script('^', part('sup'));
    case 'msub':
    case 'munder':
      return first + script('_', second);
    case 'msup':
    case 'mover':
      return first + script('^', second);
    case 'msubsup':
    case 'munderover':
      return first + script('_', second) + script('^', third);
    case 'limLow':
    case 'limUpp':
      return part('e') + script(name === 'limLow' ? '_' : '^', part('lim'));
    case 'rad':
      return `${part('deg')}√${group(part('e'))}`;
    case 'msqrt':
      return `√${group(joined(parts))}`;
    case 'mroot':
      return `${second}√${group(first)}`;
    case 'nary': {
      const sign = propertyOf(element, 'naryPr', 'chr') ?? '∫';
      return `${sign}${script('_', part('sub'))}${script('^', part('sup'))} ${part('e')}`;
    }
    case 'd': {
      const of = (key: string) => propertyOf(element, 'dPr', key);
      return (of('begChr') ?? '(') + inner().join(of('sepChr') ?? '|') + (of('endChr') ?? ')');
    }
    case 'mfenced': {
      const { attributes } = element;
      const of = (key: string) => attributes[key] ?? attributes[`math:${key}`];
      return (of('open') ?? '(') + parts.join(of('separators') ?? ', ') + (of('close') ?? ')');
    }
    case 'func':
      return `${part('fName')} ${part('e')}`;
    case 'm':
    case 'mtable':
      return `[${parts.filter((row) => row !== '').join('; ')}]`;
    case 'mr':
    case 'mtr':
      return parts.join(', ');
    case 'eqArr':
      return inner().join('; ');
    default:
      return /Pr$/.test(name) ? '' : joined(parts);
  }
}

function propertyOf(element: Element, holder: string, key: string): string | undefined {
  const found = childrenOf(element).find((child) => nameOf(child) === holder);
  const property = found && childrenOf(found).find((child) => nameOf(child) === key);
  return property?.attributes['m:val'];
}

/** In parentheses if it is more than one number or word. */
function group(text: string): string {
  return /^(?:[\p{L}\p{N}.′_]*|\([^()]*\)|\[[^[\]]*\])$/u.test(text) ? text : `(${text})`;
}

function script(sign: '_' | '^', text: string): string {
  return text.trim() === '' ? '' : sign + group(text.trim());
}
