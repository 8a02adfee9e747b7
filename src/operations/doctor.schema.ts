import { z } from 'zod';
import type { Repair } from './repair/repair-database.js';

/** One finding. A `warning` works, but not as well as it could. `remedy` is the command or setting that fixes it. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  finding: string;
  remedy?: string;
  /** The stable name of the finding, with its facts. Pages write it in the reader's language. */
  code?: string | undefined;
  values?: Readonly<Record<string, string | number>> | undefined;
}

const statuses = ['ok', 'warning', 'failed'] as const;

/** The results of --repair. */
const repairReply = z.strictObject({
  dry_run: z.boolean(),
  /** The backup that was made before; null when there was nothing to mend, and with --dry-run. */
  backup: z.string().nullable(),
  /** The file with the rows that were removed; null without any. */
  removed_rows_file: z.string().nullable(),
  /** The number of removed rows by table. */
  removed_rows: z.record(z.string(), z.int()),
  kinds: z.array(
    z.strictObject({
      name: z.string(),
      found: z.array(z.string()),
      done: z.array(z.string()),
      left: z.array(z.strictObject({ finding: z.string(), remedy: z.string().nullable() })),
    }),
  ),
});

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
      /** The stable name of the finding, and its facts. Missing where the finding is only a name or a number. */
      code: z.string().optional(),
      values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    }),
  ),
  /** Only with --repair. */
  repair: repairReply.optional(),
});

export function presentRepair(
  { backup, kept, removed, kinds }: Repair,
  dryRun: boolean,
): z.output<typeof repairReply> {
  return {
    dry_run: dryRun,
    backup,
    removed_rows_file: kept,
    removed_rows: removed,
    kinds: kinds.map(({ name, found, done, left }) => ({
      name,
      found: found.map(({ what }) => what),
      done,
      left: left.map(({ what, remedy = null }) => ({ finding: what, remedy })),
    })),
  };
}

export function worstOf(checks: readonly Pick<Check, 'status'>[]): Check['status'] {
  const worst = Math.max(...checks.map(({ status }) => statuses.indexOf(status)), 0);
  return statuses[worst] ?? 'ok';
}

export function presentChecks(
  checks: Check[],
  at: string,
  version: string,
): z.output<typeof doctorReply> {
  return {
    status: worstOf(checks),
    checked_at: at,
    version,
    checks: checks.map(presentCheck),
  };
}

export function presentCheck(check: Check) {
  return { ...check, remedy: check.remedy ?? null };
}
