import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

/** A block of commands of a page, with the answer that the page shows below it, if any. */
export interface Step {
  commands: string;
  answer: string | undefined;
  /** The line of the page on which the commands begin. */
  line: number;
}

/** The bash blocks of a page in order, each with the http block that follows it directly. */
export function readSteps(page: string): Step[] {
  const blocks = page.matchAll(/```bash\n([\s\S]*?)```\n(?:\s*```http\n([\s\S]*?)```)?/g);
  return [...blocks].map(({ 1: commands = '', 2: answer, index }) => ({
    ...{ commands, answer },
    line: page.slice(0, index).split('\n').length + 1,
  }));
}

/**
 * Runs the steps one after the other in one bash, as a reader would, and returns the output of each. Fails with the
 * output of bash if a command fails or curl is missing.
 */
export async function runSteps(
  steps: readonly Step[],
  { folder, replace }: { folder: string; replace: (commands: string) => string },
): Promise<string[]> {
  const mark = '----- end of step -----';
  const script = [
    'set -euo pipefail',
    'command -v curl > /dev/null || { echo "curl is missing: install it to run this test" >&2; exit 1; }',
    ...steps.map(({ commands }) => `${replace(commands)}\necho; echo "${mark}"`),
  ].join('\n');
  const child = spawn('bash', ['-s'], {
    cwd: folder,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  child.stdin.end(script);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const printed = output.stdout.split(`${mark}\n`);
  const failed = steps[printed.length - 1];
  assert.equal(
    code,
    0,
    `line ${failed?.line ?? 0}: ${failed?.commands ?? ''}\n${printed.at(-1) ?? ''}\n${output.stderr}`,
  );
  return printed.slice(0, -1);
}
