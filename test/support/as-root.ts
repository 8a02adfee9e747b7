import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * A describe for tests that need root. Without root it runs the test file (`import.meta.url`) once more with sudo.
 * The test fails with an explanation if sudo asks for a password.
 */
export function describeAsRoot(title: string, file: string, body: () => void): void {
  if (process.getuid?.() === 0) {
    describe(title, body);
    return;
  }
  it(`${title} (by sudo)`, () => {
    const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
    const args = [process.execPath, mocha, '--no-parallel', '--exit', fileURLToPath(file)];
    try {
      execFileSync('sudo', ['-n', ...args], { stdio: 'pipe', encoding: 'utf8' });
    } catch (cause) {
      const sentence =
        'These tests need root: run them as root, or let this user run sudo without a password.';
      throw new Error(sentence, { cause });
    }
  });
}
