import type { ErrorCode, FieldProblem, Reason } from '../../platform/errors.js';

/**
 * The texts of refusals, in a language of the pages. A sentence belongs to the name of a reason, or to a name and a
 * field (`wrong.email`), or else to the error's code; `{host}` stands for a fact of the reason. The fields have the
 * names that people see beside them.
 */
export interface Refusals {
  reasons: Readonly<Record<string, string>>;
  codes: Readonly<Partial<Record<ErrorCode, string>>>;
  fields: Readonly<Record<string, string>>;
}

/** An error, as far as a sentence is made of it. */
export interface Refused {
  code: ErrorCode;
  reason?: Reason | undefined;
  problems?: readonly FieldProblem[] | undefined;
}

/** The sentence of an error in a language. Undefined where only the English one is known. */
export function tellRefusal(texts: Refusals, refused: Refused): string | undefined {
  const { code, reason, problems = [] } = refused;
  const own = reason === undefined ? undefined : tellReason(texts, reason);
  const [problem] = problems;
  if (own !== undefined || problem === undefined) return own ?? texts.codes[code];
  const told = tellProblem(texts, problem);
  const field = ownText(texts.fields, problem.path);
  return told === undefined || field === undefined ? told : `${field}: ${told}`;
}

/** The problem of a field, in a language, without the field's name. */
export function tellProblem(
  texts: Refusals,
  { path, reason }: Pick<FieldProblem, 'path' | 'reason'>,
): string | undefined {
  return reason === undefined ? undefined : tellReason(texts, reason, path);
}

function tellReason({ reasons }: Refusals, reason: Reason, path = ''): string | undefined {
  const sentence = ownText(reasons, `${reason.is}.${path}`) ?? ownText(reasons, reason.is);
  return sentence === undefined ? undefined : fillIn(sentence, reason);
}

/** Puts facts into a sentence, where it has `{fact}`. */
export function fillIn(
  sentence: string,
  facts: Readonly<Record<string, string | number>> = {},
): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, fact: string) => String(facts[fact] ?? ''));
}

/** A sender may call a field `constructor`, which every object has. */
export function ownText(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
