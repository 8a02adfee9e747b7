#!/usr/bin/env node
// A step of `npm run build`: the widget as pages load it and as front-end projects install it, out of the sources that
// tsc has just checked.
const { join } = require('node:path');

const dist = join(__dirname, '../dist');

async function build() {
  const { buildPackage, buildWidget } = await import('../dist/src/widget/build-widget.js');
  const { scripts, usual, everything } = await buildWidget(join(dist, 'widget'));
  await buildPackage(join(dist, 'widget-package'));
  for (const [name, { bytes, gzip }] of Object.entries(scripts)) {
    process.stdout.write(`dist/widget/v1/${name}: ${bytes} bytes, ${gzip} gzipped\n`);
  }
  process.stdout.write(
    `The widget: ${usual} bytes gzipped until a usual page's first answer, ${everything} with every part\n`,
  );
}

build().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
