#!/usr/bin/env node
// The last step of `npm run build`: the browser extension, unpacked and as a zip.
const { join } = require('node:path');

async function build() {
  const { buildExtension } = await import('../dist/src/extension/build-extension.js');
  const { bytes } = await buildExtension(join(__dirname, '../dist/extension'));
  process.stdout.write(`dist/extension.zip: ${bytes} bytes\n`);
}

build().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
