import { z } from 'zod';
import type { QuotaState } from '../../usage/manage-quotas.js';
import { unitsPerMonth } from '../../usage/usage.schema.js';
import { useShown } from './shown.js';

/** The monthly units of a form. Empty means without a limit. */
export const unitsText = z
  .string()
  .trim()
  .max(20)
  .transform((text) => (text === '' ? null : Number(text.replaceAll(/[\s.,'’]/g, ''))))
  .pipe(unitsPerMonth);

/** How far a quota is used, in words and as a bar. */
export function QuotaUse({ quota }: { quota: QuotaState }) {
  const { say, format } = useShown();
  const { unitsPerMonth: most, unitsUsed } = quota;
  const used = format.number(unitsUsed);
  if (most === null) return <>{say.usage.usedOfAny(used)}</>;
  const text = say.usage.usedOf(used, format.number(most));
  return (
    <span class="use">
      <meter max={Math.max(most, 1)} value={unitsUsed} high={most * 0.9} aria-hidden="true" />{' '}
      {text}
    </span>
  );
}
