#!/usr/bin/env node
import { readFileSync } from 'node:fs';

// The oldest Node that the dependencies run on. Checked before anything else is loaded, because an
// older one would stop with a syntax error that names a dependency.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 17)) {
  process.stderr.write(`assistant needs Node 20.17 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
const args = process.argv.slice(2);
// What scripts ask at every start waits for nothing to be loaded.
if (args.length === 1 && args[0] === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.on('error', () => undefined).write(`${version}\n`);
} else {
  import('./load-program.js')
    .then(({ loadProgram }) => loadProgram())
    .then(
      ({ runProgram }) => runProgram(args),
      (error) => {
        const missing =
          error.code === 'ERR_MODULE_NOT_FOUND' && String(error.message).includes('run-program');
        process.stderr.write(
          missing
            ? 'assistant is not built yet: run npm ci, or npm run build.\n'
            : `${error.stack}\n`,
        );
        process.exit(1);
      },
    );
}
