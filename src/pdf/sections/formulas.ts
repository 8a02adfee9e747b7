import type { Line } from '../layout/page.js';

const equationNumber = /^\(\d{1,3}(?:[.-]\d{1,3})*[a-z]?\)$/;
const relation = /[=≈≠≤≥≡∝≜≪≫∈→]|(?:^|\s)[<>](?:\s|$)/;
const mathematical =
  /[\p{Script=Greek}∑∏∫√∂∇±×·∞⁰¹²³⁴-⁹ⁿ₀-₉]|[_^]\{|\b\p{L}[_^]\p{L}|\p{L}\(\p{L}\)|[\p{L}\d)] ?[-+−*/=] ?[\p{L}\d(]/u;
/** A word, which no formula has many of, but not the index of a variable. */
const word = /(?<![_^{\p{L}])\p{L}{4,}/gu;
const mostWords = 2;

/** True for the number of an equation: "(4a)". */
export function isEquationNumber(text: string): boolean {
  return equationNumber.test(text.trim());
}

/** True for text that is a formula and nothing else: a relation or a part of one, with hardly a word. */
export function isFormula(text: string): boolean {
  if (!mathematical.test(text) || !relation.test(text)) return false;
  return (text.match(word)?.length ?? 0) <= mostWords;
}

/** True for formulas on a line of their own: several, or one with its number, or with a part that begins with a relation. */
export function isDisplayed({ text, segments, mono }: Line): boolean {
  if (mono || segments.length < 2) return false;
  const last = segments.at(-1)?.text ?? '';
  const rest = segments.slice(0, -1).map((segment) => segment.text);
  if (isEquationNumber(last)) return isFormula(rest.join(' '));
  if (segments.every((segment) => isFormula(segment.text))) return true;
  return segments.slice(1).some((segment) => /^[=≈≤≥≡∝≜]/.test(segment.text)) && isFormula(text);
}
