import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The names that files of a backup may have. There are no others, and so none that leads out of a folder. */
export const manifestName = 'manifest.json';
export const databaseName = 'database.sqlite';
export const configurationName = 'config.yaml';

/** The manifest is small; whatever claims to be a larger one is none. In bytes. */
export const manifestLimit = 1024 * 1024;

/** Raised when older programs could not read a backup any more. */
export const formatVersion = 1;

/** What stands first in a backup, and tells all that must be found in the rest of it. */
export const manifestSchema = z.object({
  format: z.literal('assistant-backup'),
  format_version: z.int().min(1),
  created_at: z.iso.datetime(),
  /** Of the program that made it. */
  version: z.string().max(100),
  /** Tells backups of one installation from those of others; backups of version 0.1.0 may lack it. */
  installation: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  migrations: z.array(z.string().max(200)).max(10_000),
  /** Rows of each table. */
  counts: z.record(z.string().max(200), z.int().min(0)),
  configuration: z.object({
    secrets: z.boolean(),
    /** The settings whose values were left out. */
    left_out: z.array(z.string().max(200)).max(1000),
    /** The environment variables that set something when it was made; their values are never in it. */
    environment: z.array(z.string().max(200)).max(1000),
  }),
  files: z
    .array(
      z.object({
        name: z.enum([databaseName, configurationName]),
        size: z.int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .min(1)
    .max(2),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** The file beside a backup that holds its checksum. */
export function sumFileOf(backup: string): string {
  return `${backup}.sha256`;
}

/** One line as `sha256sum --check` reads it. */
export function sumLine(sha256: string, name: string): string {
  return `${sha256}  ${name}\n`;
}

/** The checksum that was stored with a backup; undefined where it came without. */
export async function storedSum(backup: string): Promise<string | undefined> {
  const line = await readFile(sumFileOf(backup), 'utf8').catch(() => '');
  return /^[0-9a-f]{64}(?= )/.exec(line)?.[0];
}
