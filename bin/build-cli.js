#!/usr/bin/env node
// The last step of `npm run build`: the program in two files with its packages, what V8 compiles of them at a usual
// start, and what threads for documents need.
const { spawnSync } = require('node:child_process');
const { mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const { fileOf, loadBundle, sealCache } = require('./load-program.js');

const program = join(__dirname, 'assistant.js');

void (process.argv[2] === '--compile' ? compile() : build());

async function build() {
  const { buildCli, buildTelemetry } = await import('../dist/src/main/build-cli.js');
  const { buildPdfjs } = await import('../dist/src/pdf/reader/build-pdfjs.js');
  await buildPdfjs(join(__dirname, '../dist/pdfjs'));
  const { buildOcr } = await import('../dist/src/pdf/ocr/build-ocr.js');
  await buildOcr(join(__dirname, '../dist/ocr'));
  const out = dirname(fileOf('program'));
  for (const part of ['program', 'later']) rmSync(fileOf(part, 'cache'), { force: true });
  const sizes = { ...(await buildCli(out)), 'telemetry.cjs': await buildTelemetry(out) };
  for (const [name, bytes] of Object.entries(sizes)) {
    process.stdout.write(`dist/cli/${name}: ${bytes} bytes\n`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'assistant-build-'));
  try {
    // No settings of this machine's own: they might name an installation that exists. And no options that the build
    // needs of Node (a larger heap, say): V8 takes its cache only where it is given the same ones.
    const kept = Object.entries(process.env).filter(
      ([name]) => !name.startsWith('ASSISTANT_') && name !== 'NODE_OPTIONS',
    );
    const settings = {
      ASSISTANT_PASSWORD: 'only for a moment',
      ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9',
    };
    const env = { ...Object.fromEntries(kept), ...settings };
    const options = { cwd: folder, env, encoding: 'utf8', timeout: 120_000 };
    const run = (...args) => spawnSync(process.execPath, args, options);
    const { status, stderr } = [
      [program, 'init', '--yes', '--email', 'build@localhost.example'],
      [__filename, '--compile'],
    ].reduce((last, args) => (last.status === 0 ? run(...args) : last), { status: 0, stderr: '' });
    // It works without, only slower: no reason for an installation to fail.
    if (status !== 0) process.stderr.write(`Commands will start slower than they could: ${stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs commands that do what most have in common, or are run often, and keeps what was compiled for them. */
async function compile() {
  const { program, loaded, loadLater } = loadBundle();
  await program.runProgram(['keys', 'list']);
  const isRun = !process.exitCode;
  // It ends with 1, since no server runs here.
  await program.runProgram(['status']);
  if (isRun) {
    process.exitCode = 0;
    loadLater();
    for (const [part, { script }] of Object.entries(loaded)) {
      const cache = fileOf(part, 'cache');
      // By another name first: half a file would be read as if it were whole.
      writeFileSync(`${cache}.part`, sealCache(part, script.createCachedData()));
      renameSync(`${cache}.part`, cache);
    }
  }
}
