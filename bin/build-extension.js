#!/usr/bin/env node
// The last step of `npm run build`: the browser extension, unpacked and as a zip.
import { fileURLToPath } from 'node:url';
import { buildExtension } from '../dist/src/extension/build-extension.js';

try {
  const out = fileURLToPath(new URL('../dist/extension', import.meta.url));
  const { bytes } = await buildExtension(out);
  process.stdout.write(`dist/extension.zip: ${bytes} bytes\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
