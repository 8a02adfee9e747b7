import { AppError, messageOf } from '../src/platform/errors.js';
import { closestWord } from '../src/platform/text/closest-word.js';

/** How a program of this folder is called. */
export interface Usage {
  /** As it is started, e.g. `npm run bench --`. */
  command: string;
  about: string;
  /** By option, with the placeholder of its value: what it does. */
  options: Record<string, string>;
}

/**
 * Runs a program: `--help` prints its usage and runs nothing. Exits with 2 where it is called in a way that it does not
 * know, with 1 where it fails.
 */
export async function runProgram(usage: Usage, work: () => Promise<void>): Promise<void> {
  const given = process.argv.slice(2);
  if (given.some((word) => word === '--help' || word === '-h')) {
    console.log(usageText(usage));
    return;
  }
  try {
    await work();
  } catch (error) {
    const isUsage = isUnknown(error) || (error instanceof AppError && error.code === 'usage');
    console.error(isUnknown(error) ? explain(error, usage, given) : messageOf(error));
    process.exitCode = isUsage ? 2 : 1;
  }
}

export function usageText({ command, about, options }: Usage): string {
  const rows = [...Object.entries(options), ['--help', 'print this'] as const];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, what]) => `  ${name.padEnd(width)}  ${what}`);
  return [`Usage: ${command} [options]`, '', about, '', ...lines].join('\n');
}

/** parseArgs has met an argument that it was not told of, or one without its value. */
function isUnknown(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_');
}

function explain(error: Error, { command, options }: Usage, given: readonly string[]): string {
  const known = [...Object.keys(options).map((name) => name.split(' ')[0] ?? ''), '--help'];
  const names = given.flatMap((word) => (word.startsWith('-') ? [word.split('=')[0] ?? ''] : []));
  const unknown = names.find((name) => !known.includes(name));
  const meant = unknown === undefined ? undefined : closestWord(unknown, known);
  // What parseArgs adds about positional arguments is of no use here: there are none.
  const [sentence = ''] = error.message.split('. ');
  const suggestion = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${sentence.replace(/\.$/, '')}.${suggestion} All options: ${command} --help`;
}
