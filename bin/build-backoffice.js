#!/usr/bin/env node
// A step of `npm run build`: the style sheet, the script and the icon of the backoffice's pages.
const { join } = require('node:path');

async function build() {
  const { buildBackoffice } = await import('../dist/src/backoffice/build-backoffice.js');
  const sizes = await buildBackoffice(join(__dirname, '../dist/backoffice'));
  for (const [name, bytes] of Object.entries(sizes)) {
    process.stdout.write(`dist/backoffice/${name}: ${bytes} bytes gzipped\n`);
  }
}

build().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
