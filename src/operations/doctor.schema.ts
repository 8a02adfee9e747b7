import { z } from 'zod';

/** One finding. `warning` works, but not as well as it could; `remedy` is the line that mends it. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  finding: string;
  remedy?: string;
}

const statuses = ['ok', 'warning', 'failed'] as const;

/** What `assistant doctor --json` answers: fields may be added, none is renamed or taken away. */
export const doctorReply = z.strictObject({
  /** The worst of all. */
  status: z.enum(statuses),
  checked_at: z.iso.datetime({ precision: 3 }),
  version: z.string(),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      status: z.enum(statuses),
      finding: z.string(),
      /** What mends it; null where nothing is to be mended. */
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
