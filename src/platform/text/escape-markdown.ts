/** One line of plain text as Markdown, and back. Signs that are alone or inside a word, as in snake_case, stay. */

/** The parts of a line that mean something in Markdown. Inside an address and `<…>`, no sign does. */
const tokens =
  /\\(?=[!-/:-@[-`{-~])|`+|\*+|_+|(?<!~)~~(?!~)|(?<=\])\((?=\s*<?[A-Za-z]+:)|<[^\s<>]+>|\bhttps?:\/\/[^\s<>[-\]"`]+/g;

interface Run {
  at: number;
  text: string;
}

/** A line of prose as a Markdown paragraph. */
export function escapeProse(text: string): string {
  return escapeStart(escapeInline(text));
}

/** A line of prose as Markdown that does not begin a paragraph: in a cell, behind a heading's or footnote's mark. */
export function escapeInline(text: string): string {
  const runs = [...runsIn(text)];
  const lastClosing: Record<string, number> = {};
  for (const run of runs) if (canClose(text, run)) lastClosing[run.text.charAt(0)] = run.at;
  const ticks = text.match(/`+/g) ?? [];
  const hasCode = new Set(ticks).size < ticks.length || text.startsWith('```');
  let escaped = '';
  let from = 0;
  for (const run of runs) {
    const sign = run.text.charAt(0);
    const isPair = canOpen(text, run) && (lastClosing[sign] ?? -1) > run.at;
    const isMeant = '\\(<'.includes(sign) || (sign === '`' ? hasCode : isPair);
    if (!isMeant) continue;
    escaped += text.slice(from, run.at) + run.text.replace(/./g, '\\$&');
    from = run.at + run.text.length;
  }
  return escaped + text.slice(from);
}

/** Markdown whose first line begins no heading, quote, list, rule or code block. */
export function escapeStart(markdown: string): string {
  return markdown
    .replace(/^(?=#{1,6}(?:\s|$)|>|[-*+](?:\s|$)|~~~|([-*_])(?:[ \t]*\1)+[ \t]*$)/, '\\')
    .replace(/^\d{1,9}(?=[.)](?:\s|$))/, '$&\\');
}

/** Markdown without the backslashes that only protect its signs. */
export function withoutEscapes(markdown: string): string {
  return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** The signs that might form pairs, links or escapes, in order. */
function* runsIn(text: string): Generator<Run> {
  const pattern = new RegExp(tokens);
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [token] = found;
    const at = found.index;
    if (token.startsWith('http')) pattern.lastIndex = at + addressLength(token);
    else if (!token.startsWith('<')) yield { at, text: token };
    // An address would be a link, and a backslash not be one that protects.
    else if (/^<(?:https?:|mailto:|.*\\)/i.test(token)) {
      yield { at, text: '<' };
      pattern.lastIndex = at + 1;
    }
  }
}

/** The length of an address in running text without the sentence's signs behind it. */
function addressLength(address: string): number {
  let open = address.split('(').length - address.split(')').length;
  let end = address.length;
  for (; end > 0; end--) {
    const last = address.charAt(end - 1);
    if (last === ')' ? open++ >= 0 : !/[.,:;!?'*_~]/.test(last)) break;
  }
  return end;
}

const isWord = (sign: string, beside: string) => sign === '_' && /[\p{L}\p{N}]/u.test(beside);

function canOpen(text: string, { at, text: run }: Run): boolean {
  const sign = run.charAt(0);
  const next = text.charAt(at + run.length);
  return '*_~'.includes(sign) && /\S/.test(next) && !isWord(sign, text.charAt(at - 1));
}

function canClose(text: string, { at, text: run }: Run): boolean {
  const sign = run.charAt(0);
  const next = text.charAt(at + run.length);
  return '*_~'.includes(sign) && /\S/.test(text.charAt(at - 1)) && !isWord(sign, next);
}
