import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { startTestPostgres } from './postgres-server.js';

/* Runs mocha with the given arguments, and the databases of tests on a server of PostgreSQL that is started for it. */

const server = await startTestPostgres();
try {
  const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
  const { status } = spawnSync(process.execPath, [mocha, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: server.url },
  });
  process.exitCode = status ?? 1;
} finally {
  await server.stop();
}
