#!/usr/bin/env node
// `npm run package [-- <folder>]`: the built product as a package to install, with the packages that can't be bundled as
// its only dependencies. Prints what npm says of it.
const { execFileSync } = require('node:child_process');
const { cpSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');

const root = join(__dirname, '..');

async function pack(destination) {
  const { installedBeside } = await import('../dist/src/main/bundle-program.js');
  const folder = mkdtempSync(join(tmpdir(), 'assistant-package-'));
  try {
    const { scripts, devDependencies, dependencies, ...kept } = require('../package.json');
    // npm leaves out what `files` excludes. It isn't asked here for the files, because some versions build first.
    const named = kept.files.filter((path) => !path.startsWith('!'));
    for (const path of [...named, 'README.md', 'LICENSE']) {
      cpSync(join(root, path), join(folder, path), { recursive: true });
    }
    const beside = installedBeside.map((name) => [name, dependencies[name]]);
    const packed = { ...kept, dependencies: Object.fromEntries(beside) };
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, undefined, 2)}\n`);
    return execFileSync('npm', ['pack', '--json', '--pack-destination', destination], {
      ...{ cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

pack(resolve(process.argv[2] ?? '.')).then(
  (told) => process.stdout.write(told),
  (error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
