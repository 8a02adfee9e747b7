import type { Check } from '../../operations/doctor.schema.js';
import { fillIn } from './refusals.js';

/** The remedies of a finding that has several causes, by its value `cause`. `other` is for all that have no text here. */
export type Remedies = Readonly<Record<'other' | (string & {}), string>>;

/** The findings of an examination and their remedies, by the code of the finding; `{path}` stands for one of its values. */
export type Findings = Readonly<
  Record<string, readonly [finding: string, remedy?: string | Remedies]>
>;

/** The finding in a language. Undefined where only the English one is known. */
export function tellFinding(
  texts: Findings,
  { code, values }: Pick<Check, 'code' | 'values'>,
): { finding: string; remedy: string | undefined } | undefined {
  if (code === undefined || !Object.hasOwn(texts, code)) return undefined;
  const [finding = '', given] = texts[code] ?? [];
  const cause = String(values?.['cause']);
  const remedy =
    typeof given === 'object' ? given[Object.hasOwn(given, cause) ? cause : 'other'] : given;
  return {
    finding: fillIn(finding, values),
    remedy: remedy === undefined ? undefined : fillIn(remedy, values),
  };
}
