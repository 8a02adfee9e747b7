#!/usr/bin/env node
// The last step of `npm run build`: the widget as pages load it, out of the sources that tsc has just checked.
import { fileURLToPath } from 'node:url';
import { buildWidget } from '../dist/src/widget/build-widget.js';

try {
  const { bytes, gzip, panel } = await buildWidget(
    fileURLToPath(new URL('../dist/widget', import.meta.url)),
  );
  process.stdout.write(
    `dist/widget/v1/assistant.js: ${bytes} bytes, ${gzip} gzipped; panel.js: ${panel.bytes} bytes, ${panel.gzip} gzipped\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
