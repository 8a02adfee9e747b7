#!/usr/bin/env node
// The last step of `npm run build`: the program in one file, and what V8 compiles of it at a usual start.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCli } from '../dist/src/main/build-cli.js';
import { bundle, cache, loadBundle } from './load-program.js';

if (process.argv[2] === '--compile') await compile();
else await build();

async function build() {
  rmSync(cache, { force: true });
  const bytes = await buildCli(dirname(bundle));
  process.stdout.write(`dist/cli/program.cjs: ${bytes} bytes\n`);
  const folder = mkdtempSync(join(tmpdir(), 'assistant-build-'));
  try {
    // No settings of this machine's own: they might name an installation that exists.
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('ASSISTANT_'));
    const env = { ...Object.fromEntries(kept), ASSISTANT_PASSWORD: 'only for a moment' };
    const options = { cwd: folder, env, encoding: 'utf8', timeout: 120_000 };
    const args = [fileURLToPath(import.meta.url), '--compile'];
    const { status, stderr } = spawnSync(process.execPath, args, options);
    // It works without, only slower: no reason for an installation to fail.
    if (status !== 0) process.stderr.write(`Commands will start slower than they could: ${stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs what most commands have in common, in an installation for the moment, and keeps what was compiled for it. */
async function compile() {
  const { script, program } = loadBundle();
  await program.runProgram(['init', '--yes', '--email', 'build@localhost.example']);
  await program.runProgram(['keys', 'list']);
  if (!process.exitCode) writeFileSync(cache, script.createCachedData());
}
