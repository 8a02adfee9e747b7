#!/usr/bin/env node
// A step of `npm run build`: the widget as pages load it and as front-end projects install it, out of the sources that
// tsc has just checked.
import { fileURLToPath } from 'node:url';
import { buildPackage } from '../dist/src/widget/build-package.js';
import { buildWidget } from '../dist/src/widget/build-widget.js';

const folder = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

try {
  const { scripts, usual, everything } = await buildWidget(folder('widget'));
  await buildPackage(folder('widget-package'));
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
