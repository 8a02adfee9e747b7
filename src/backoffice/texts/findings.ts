import type { Check } from '../../operations/doctor.schema.js';
import { fillIn } from './refusals.js';

/** What an examination finds, and what fixes it, by the code of the finding; `{path}` stands for one of its values. */
export type Findings = Readonly<Record<string, readonly [finding: string, remedy?: string]>>;

/** The finding in a language. Undefined where only the English one is known. */
export function tellFinding(
  texts: Findings,
  { code, values }: Pick<Check, 'code' | 'values'>,
): { finding: string; remedy: string | undefined } | undefined {
  if (code === undefined || !Object.hasOwn(texts, code)) return undefined;
  const [finding = '', remedy] = texts[code] ?? [];
  return {
    finding: fillIn(finding, values),
    remedy: remedy === undefined ? undefined : fillIn(remedy, values),
  };
}
