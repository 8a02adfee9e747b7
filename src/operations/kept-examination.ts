import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import type { Config } from '../platform/config/schema.js';
import { writeBeside } from '../platform/give-to-owner.js';
import { doctorReply, type presentChecks } from './doctor.schema.js';

/**
 * The last full examination. It is stored in a file beside the database, because the database may be damaged or
 * read-only, and because a restored backup must not bring old findings back.
 */
const keptReply = doctorReply.omit({ repair: true });
export type KeptExamination = z.output<typeof keptReply>;

function fileOf({ database }: Pick<Config, 'database'>): string {
  return `${database.path}.last-examination`;
}

/** Stores an examination. If the file can't be written, nothing else fails. */
export async function keepExamination(
  config: Pick<Config, 'database'>,
  { status, checked_at, version, checks }: ReturnType<typeof presentChecks>,
): Promise<void> {
  const text = `${JSON.stringify({ status, checked_at, version, checks })}\n`;
  await writeBeside(config.database.path, fileOf(config), text);
}

/** Undefined where there was none yet, or its file can't be read. */
export async function readExamination(
  config: Pick<Config, 'database'>,
): Promise<KeptExamination | undefined> {
  try {
    return keptReply.parse(JSON.parse(await readFile(fileOf(config), 'utf8')));
  } catch {
    return undefined;
  }
}
