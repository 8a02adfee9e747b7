import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { startTestPostgres } from './postgres-server.js';

/*
 * Runs mocha with the databases of tests on a server of PostgreSQL that is started for it. The arguments are those of
 * mocha. Without a path among them, it runs all files that open the application on a database.
 */

/** These folders test what stands before the application. On another database they would only repeat themselves. */
const others = 'properties|browser|extension|examples|cli|attack|chat|bench|documentation';

const tests = fileURLToPath(new URL('..', import.meta.url));
const opener = join(tests, 'support/test-app.js');

function importsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/\b(?:from|import) ?\(?'(\.[^']+)'/g);
  return [...imports].map(([, path = '']) => resolve(file, '..', path));
}

/** Whether a file of the tests imports what opens databases, itself or through other files of the tests. */
function opensDatabase(file: string, seen = new Set<string>()): boolean {
  if (file === opener) return true;
  if (seen.has(file) || !file.startsWith(tests)) return false;
  seen.add(file);
  return importsOf(file).some((one) => opensDatabase(one, seen));
}

/** These tests start a server of their own, whatever the others run on. */
function choosesEngine(file: string): boolean {
  return importsOf(file).includes(join(tests, 'support/postgres-server.js'));
}

const given = process.argv.slice(2);
const files = given.some((argument) => argument.includes('dist/test/'))
  ? []
  : globSync([`!(${others})/**/*.test.js`, '!**/*.long.test.js'], { cwd: tests, absolute: true })
      .sort()
      .filter((file) => opensDatabase(file) && !choosesEngine(file));
const limits = ['--require', './dist/test/support/time-limits.js'];
// What a test finds must not depend on what was counted of the rows of earlier ones.
const server = await startTestPostgres({ vacuums: false });
try {
  const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
  const args = [mocha, ...limits, '--ignore', 'dist/test/**/*.long.test.js', ...given, ...files];
  const { status } = spawnSync(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: server.url },
  });
  process.exitCode = status ?? 1;
} finally {
  await server.stop();
}
