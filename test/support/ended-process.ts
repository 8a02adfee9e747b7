import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The name of a process of this machine that has ended. */
export async function nameOfEndedProcess(): Promise<string> {
  const module = new URL('../../src/platform/process-name.js', import.meta.url).href;
  const script = `import(${JSON.stringify(module)}).then((m) => process.stdout.write(m.thisProcess))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
  return stdout;
}
