import { lineOf, findElements, isElement, type Element } from './tree.js';

/** What a page's own style sheets say of elements, as far as simple selectors decide whether people see them. */
type Rules = Map<string, Rule[]>;

interface Rule {
  name: string;
  classes: string[];
  id: string;
  style: string;
  /** Rules of more weight count more; each has another. */
  weight: number;
}

/** Rules that are read; in characters: style sheets that are read. Others belong to no document. */
const mostRules = 1000;
const longestSheets = 1_000_000;

/**
 * Writes what the style sheets in a page say into the styles of its elements: whether they are shown, by selectors of
 * one element (`p`, `.note`, `p#x.note`). An id counts more than a class, a class more than a name, and the element's own
 * style most. Sheets of other media, and files of their own, are not read.
 */
export function applyStyleRules(root: Element): void {
  const sheets = findElements(root, ({ name }) => name === 'style').filter(({ attributes }) =>
    /^\s*(?:all|screen)?\s*$/i.test(attributes['media'] ?? ''),
  );
  const rules = readRules(sheets.map((sheet) => lineOf(sheet)).join(' '));
  if (rules.size > 0) apply(root, rules);
}

function readRules(text: string): Rules {
  const rules: Rules = new Map();
  const plain = text.slice(0, longestSheets).replaceAll(/\/\*.*?\*\/|<!--|-->/g, ' ');
  let count = 0;
  for (const [selectors, declared] of blocksIn(plain)) {
    const style = (declared.match(/(?<![\w-])(?:display|visibility)\s*:[^;]*/gi) ?? []).join(';');
    if (style === '') continue;
    for (const selector of selectors.split(',')) {
      const [, name = '', rest = ''] =
        /^\s*([a-z][\w-]*)?((?:[.#][\w-]+)*)\s*$/i.exec(selector) ?? [];
      if (name + rest === '' || count++ >= mostRules) continue;
      const classes = [...rest.matchAll(/\.([\w-]+)/g)].map(([, one = '']) => one);
      const id = /#([\w-]+)/.exec(rest)?.[1] ?? '';
      const key = id !== '' ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : name;
      const weight = (id === '' ? classes.length : 1000) * mostRules + count;
      const rule = { name: name.toLowerCase(), classes, id, style, weight };
      const alike = rules.get(key) ?? [];
      rules.set(key, alike);
      const same = alike.findIndex((one) => sameSelector(one, rule));
      if (same < 0) alike.push(rule);
      // The later one counts.
      else alike[same] = { ...rule, style: lastOf(`${alike[same]?.style ?? ''};${style}`) };
    }
  }
  return rules;
}

function sameSelector(one: Rule, other: Rule): boolean {
  const { name, id, classes } = other;
  return one.name === name && one.id === id && one.classes.join(' ') === classes.join(' ');
}

/** The last of several declarations of each property. */
function lastOf(style: string): string {
  const declared = style.split(';').map((one) => [one.split(':')[0]?.trim() ?? '', one] as const);
  return [...new Map(declared).values()].join(';');
}

/** The outermost blocks of a style sheet: those in at-rules hold only at times. */
function* blocksIn(text: string): Generator<[selectors: string, declared: string]> {
  let depth = 0;
  let from = 0;
  let selectors = '';
  for (const { 0: sign, index } of text.matchAll(/[{};]/g)) {
    if (sign === ';') {
      if (depth === 0) from = index + 1;
    } else if (sign === '{') {
      if (depth++ > 0) continue;
      selectors = text.slice(from, index).trim();
      from = index + 1;
    } else if (depth > 0 && --depth === 0) {
      if (!selectors.startsWith('@')) yield [selectors, text.slice(from, index)];
      from = index + 1;
    }
  }
}

function apply(element: Element, rules: Rules): void {
  for (const child of element.children) {
    if (!isElement(child)) continue;
    const { name, attributes } = child;
    const classes = (attributes['class'] ?? '').split(/\s+/).filter((one) => one !== '');
    const id = attributes['id'] ?? '';
    const styles = [name, ...classes.map((one) => `.${one}`), ...(id === '' ? [] : [`#${id}`])]
      .flatMap((key) => rules.get(key) ?? [])
      .filter(
        (rule) =>
          (rule.name === '' || rule.name === name) &&
          rule.classes.every((one) => classes.includes(one)) &&
          (rule.id === '' || rule.id === id),
      )
      .sort((a, b) => a.weight - b.weight)
      .map(({ style }) => style);
    if (styles.length > 0) {
      attributes['style'] = [...styles, attributes['style'] ?? ''].join(';');
    }
    apply(child, rules);
  }
}
