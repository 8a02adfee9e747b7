#!/usr/bin/env node
// The last step of `npm run build`: the widget as pages load it, out of the sources that tsc has just checked.
import { fileURLToPath } from 'node:url';
import { buildWidget } from '../dist/src/widget/build-widget.js';

try {
  const { scripts, usual, everything } = await buildWidget(
    fileURLToPath(new URL('../dist/widget', import.meta.url)),
  );
  for (const [name, { bytes, gzip }] of Object.entries(scripts)) {
    process.stdout.write(`dist/widget/v1/${name}: ${bytes} bytes, ${gzip} gzipped\n`);
  }
  process.stdout.write(
    `The widget: ${usual} bytes gzipped until a usual page's first answer, ${everything} with every part\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
