import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The only allowed names of files in a backup, so that no name leads out of a folder. */
export const manifestName = 'manifest.json';
export const databaseName = 'database.sqlite';
export const configurationName = 'config.yaml';

/** In bytes; a larger file is not a manifest. */
export const manifestLimit = 1024 * 1024;

/** Increase it when older programs can no longer read new backups. */
export const formatVersion = 1;

/** The first file in a backup. It lists everything else that the backup must contain. */
export const manifestSchema = z.object({
  format: z.literal('assistant-backup'),
  format_version: z.int().min(1),
  created_at: z.iso.datetime(),
  /** The version of the program that made it. */
  version: z.string().max(100),
  /** Distinguishes the backups of different installations. Backups of version 0.1.0 may lack it. */
  installation: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  migrations: z.array(z.string().max(200)).max(10_000),
  /** Rows of each table. */
  counts: z.record(z.string().max(200), z.int().min(0)),
  configuration: z.object({
    secrets: z.boolean(),
    /** The settings without their values. */
    left_out: z.array(z.string().max(200)).max(1000),
    /** The environment variables with settings at the time of the backup; never their values. */
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

/** The checksum file beside a backup. */
export function sumFileOf(backup: string): string {
  return `${backup}.sha256`;
}

/** One line in the format of `sha256sum --check`. */
export function sumLine(sha256: string, name: string): string {
  return `${sha256}  ${name}\n`;
}

/** The stored checksum of a backup; undefined without one. */
export async function storedSum(backup: string): Promise<string | undefined> {
  const line = await readFile(sumFileOf(backup), 'utf8').catch(() => '');
  return /^[0-9a-f]{64}(?= )/.exec(line)?.[0];
}
