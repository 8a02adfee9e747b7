import type { Inline } from './blocks.js';

/** A possible start of emphasis or a bracket. Its characters stay text in `nodes[at]` until an end is found. */
interface Opening {
  sign: string;
  at: number;
  /** For a bracket: the number of open emphases before it. */
  before: number;
}

/** Deeper nested emphasis stays text, so that no text can create a deep DOM tree. */
const deepest = 8;

const destination =
  /\(\s*(?!\s)(?:<([^<>\n]*)>|([^\s()<]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/y;

/**
 * Parses the inline content of a block: emphasis, code, links, breaks and citations. Never throws and takes linear
 * time: a search either consumes the text that it passes or is not repeated.
 */
export function parseInline(source: string): Inline[] {
  const tokens =
    /\\([!-/:-@[-`{-~])|\\?\n|`+|\*+|_+|(?<!~)~~(?!~)|\[(\d{1,3})\](?!\()((?:[.,:;!?)](?!\[))*)|!?\[|\]|<([^\s<>]+)>|\bhttps?:\/\/[^\s<>[-\]"`]+/g;
  const nodes: Inline[] = [];
  const openings: Opening[] = [];
  const brackets: Opening[] = [];
  /** For each character: no opening below this index needs to be searched. */
  const bottom: Record<string, number> = {};
  const depth = new Map<Inline, number>();
  /** The last position of backticks by length, so that an opening without an end is known without a search. */
  const lastTicks = new Map<number, number>();
  for (const { 0: run, index } of source.matchAll(/`+/g)) lastTicks.set(run.length, index);

  const add = (text: string): void => {
    if (text) nodes.push({ type: 'text', text });
  };
  const forget = (length: number): void => {
    openings.length = length;
    for (const sign in bottom) bottom[sign] = Math.min(bottom[sign] ?? 0, length);
  };

  /** Closes the emphasis that the same character opened. Returns the number of remaining characters. */
  const close = (sign: string, run: number): number => {
    let left = run;
    for (let i = openings.length - 1; left > 0 && i >= (bottom[sign] ?? 0); i -= 1) {
      const opening = openings[i];
      const begun = opening && nodes[opening.at];
      if (opening?.sign !== sign || begun?.type !== 'text') continue;
      const deep = nodes
        .slice(opening.at + 1)
        .reduce((most, node) => Math.max(most, depth.get(node) ?? 0), 1);
      if (deep > deepest) break;
      const width = Math.min(2, left, begun.text.length);
      const type = sign === '~' ? 'del' : width === 2 ? 'strong' : 'em';
      const wrapped: Inline = { type, children: joined(nodes.splice(opening.at + 1)) };
      depth.set(wrapped, deep + 1);
      left -= width;
      begun.text = begun.text.slice(width);
      const used = !begun.text;
      if (used) nodes.pop();
      nodes.push(wrapped);
      forget(used ? i : i + 1);
      if (!used) i += 1;
      while ((brackets.at(-1)?.at ?? -1) > opening.at) brackets.pop();
    }
    if (left > 0) bottom[sign] = openings.length;
    return left;
  };

  /** Makes a link of the text since the bracket. Returns false when no allowed destination follows. */
  const link = (bracket: Opening, from: number): boolean => {
    destination.lastIndex = from;
    const found = destination.exec(source);
    const href = found && safeHref(found[1] ?? found[2] ?? '');
    if (!href) return false;
    const children = unlinked(joined(nodes.splice(bracket.at + 1)));
    nodes.pop();
    nodes.push({
      type: 'link',
      href,
      children: children.length ? children : [{ type: 'text', text: href }],
    });
    forget(Math.min(bracket.before, openings.length));
    // Links cannot be nested.
    brackets.length = 0;
    tokens.lastIndex = destination.lastIndex;
    return true;
  };

  let from = 0;
  for (let found = tokens.exec(source); found; found = tokens.exec(source)) {
    const [token, escaped, citation, behind = '', address] = found;
    const sign = token[0] ?? '';
    const before = source.slice(from, found.index);
    const end = (from = tokens.lastIndex);
    if (token.endsWith('\n')) {
      const hard = sign === '\\' || before.endsWith('  ');
      add(before.trimEnd());
      nodes.push(hard ? { type: 'break' } : { type: 'text', text: '\n' });
      continue;
    }
    add(before);
    if (escaped !== undefined) add(escaped);
    else if (citation !== undefined)
      nodes.push({ type: 'citation', number: Number(citation), sign: behind });
    else if (sign === '`') {
      if ((lastTicks.get(token.length) ?? 0) > found.index) {
        const ends = endOfCode(source, token.length, end);
        const code = source.slice(end, ends - token.length).replaceAll('\n', ' ');
        nodes.push({ type: 'code', text: code.trim() && code.replace(/^ ([^]*) $/, '$1') });
        tokens.lastIndex = ends;
      } else add(token);
    } else if ('*_~'.includes(sign)) {
      const prior = source[found.index - 1] ?? ' ';
      const next = source[end] ?? ' ';
      const whole = sign === '_' ? /[\p{L}\p{N}]/u : /[^]{2}/;
      const left = /\S/.test(prior) && !whole.test(next) ? close(sign, token.length) : token.length;
      if (left > 0) {
        if (/\S/.test(next) && !whole.test(prior)) {
          openings.push({ sign, at: nodes.length, before: 0 });
        }
        add(sign.repeat(left));
      }
    } else if (sign === ']') {
      const bracket = brackets.pop();
      if (!bracket || !link(bracket, end)) add(token);
    } else if (token.endsWith('[')) {
      brackets.push({ sign, at: nodes.length, before: openings.length });
      add(token);
    } else {
      const bare = address ?? withoutPunctuation(token);
      const href = safeHref(bare);
      if (href) nodes.push({ type: 'link', href, children: [{ type: 'text', text: bare }] });
      else add(address ? token : bare);
      if (!address) tokens.lastIndex = found.index + bare.length;
    }
    from = tokens.lastIndex;
  }
  add(source.slice(from));
  return joined(nodes);
}

/** The end of the next run of `length` backticks, which must exist. */
function endOfCode(source: string, length: number, from: number): number {
  const runs = /`+/g;
  runs.lastIndex = from;
  while ((runs.exec(source)?.[0].length ?? length) !== length);
  return runs.lastIndex;
}

/** The address if links may lead to it, else an empty text. */
function safeHref(address: string): string {
  return /^(?:https?:\/\/|mailto:)[^\s\p{C}]+$/iu.test(address) ? address : '';
}

/** An address in running text, without the final full stop or bracket of the sentence. */
function withoutPunctuation(address: string): string {
  let open = address.split('(').length - address.split(')').length;
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? '';
    if (last === ')' ? open++ >= 0 : !/[.,:;!?'*_~]/.test(last)) break;
  }
  return address.slice(0, end);
}

/** Merges adjacent texts. */
function joined(nodes: readonly Inline[]): Inline[] {
  const result: Inline[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (node.type === 'text' && last?.type === 'text') last.text += node.text;
    else result.push(node);
  }
  return result;
}

function unlinked(nodes: readonly Inline[]): Inline[] {
  return nodes.flatMap((node) => {
    if (node.type === 'link') return node.children;
    if ('children' in node) return [{ ...node, children: unlinked(node.children) }];
    return [node];
  });
}
