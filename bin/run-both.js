#!/usr/bin/env node
// `node bin/run-both.js lint test:run`: runs two npm scripts at once. What the first one says comes when it has ended;
// the other's output is seen as it comes. Fails where one of them does, and says which.
const { spawn } = require('node:child_process');

const [quiet, shown] = process.argv.slice(2);

const run = (script, output) =>
  new Promise((resolve) => {
    const child = spawn('npm', ['run', script], { stdio: ['ignore', output, output] });
    const said = [];
    child.stdout?.on('data', (bytes) => said.push(bytes));
    child.stderr?.on('data', (bytes) => said.push(bytes));
    child.once('error', (error) => resolve({ script, failed: true, said: error.message }));
    child.once('close', (code) => {
      resolve({ script, failed: code !== 0, said: Buffer.concat(said).toString() });
    });
  });

void Promise.all([run(quiet, 'pipe'), run(shown, 'inherit')]).then((ended) => {
  process.stdout.write(ended[0].said);
  for (const { script, failed } of ended) {
    if (!failed) continue;
    process.stderr.write(`npm run ${script} failed\n`);
    process.exitCode = 1;
  }
});
