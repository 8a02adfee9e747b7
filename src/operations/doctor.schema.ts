import { z } from 'zod';

/** One finding. A `warning` works, but not as well as it could. `remedy` is the command or setting that fixes it. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  finding: string;
  remedy?: string;
}

const statuses = ['ok', 'warning', 'failed'] as const;

/** The output of `assistant doctor --json`. Fields may be added, but never renamed or removed. */
export const doctorReply = z.strictObject({
  /** The worst status of all checks. */
  status: z.enum(statuses),
  checked_at: z.iso.datetime({ precision: 3 }),
  version: z.string(),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      status: z.enum(statuses),
      finding: z.string(),
      /** The remedy; null when there is nothing to fix. */
      remedy: z.string().nullable(),
    }),
  ),
});

export function presentChecks(
  checks: Check[],
  at: string,
  version: string,
): z.output<typeof doctorReply> {
  const worst = Math.max(...checks.map(({ status }) => statuses.indexOf(status)), 0);
  return {
    status: statuses[worst] ?? 'ok',
    checked_at: at,
    version,
    checks: checks.map((check) => ({ ...check, remedy: check.remedy ?? null })),
  };
}
