import { readFile } from 'node:fs/promises';

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
