import type { FieldProblem } from '../../platform/errors.js';
import { ownText, tellProblem, tellRefusal, type Refused } from '../texts/refusals.js';
import { useShown } from './shown.js';

/** The sentence of an error: in the language of the page, or else in English. */
export function Refusal({ of }: { of: Refused & { message: string } }) {
  return <Told text={tellRefusal(useShown().say.refusals, of)} english={of.message} />;
}

/** The problem of a field, in the language of the page or else in English. */
export function Problem({ of }: { of: FieldProblem }) {
  return <Told text={tellProblem(useShown().say.refusals, of)} english={of.message} />;
}

/** The page's name for a field. */
export function FieldName({ path }: { path: string }) {
  return <Told text={ownText(useShown().say.refusals.fields, path)} english={path} />;
}

function Told({ text, english }: { text: string | undefined; english: string }) {
  const { language } = useShown();
  if (text !== undefined || language === 'en') return <>{text ?? english}</>;
  return <span lang="en">{english}</span>;
}
