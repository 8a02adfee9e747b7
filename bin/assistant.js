#!/usr/bin/env node
// CommonJS: Node's loader of modules alone takes longer than --version.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

// The oldest Node that the dependencies run on. Checked before anything else is loaded, because an
// older one would stop with a syntax error that names a dependency.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 17)) {
  process.stderr.write(`assistant needs Node 20.17 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
const args = process.argv.slice(2);
// Scripts ask for the version often, so nothing else is loaded for it.
if (args.length === 1 && args[0] === '--version') {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));
  process.stdout
    .on('error', ({ code, message }) => {
      if (code === 'EPIPE') return;
      process.exitCode = 1;
      process.stderr.write(`assistant: the result can't be written: ${message}\n`);
    })
    .write(`${version}\n`);
} else {
  require('./load-program.js')
    .loadProgram()
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
