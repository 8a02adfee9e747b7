import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { modulesOf } from '../../src/main/split-program.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

const root = packageRoot();

/** Starts Node as a user does, without the options of the tests or of a coverage run. */
function node(
  args: string[],
  { cwd, ...settings }: { cwd?: string; [setting: string]: string | undefined } = {},
): { status: number | null; stdout: string; stderr: string } {
  const { NODE_V8_COVERAGE: _, NODE_OPTIONS: __, ...inherited } = process.env;
  const env = { ...inherited, ...settings };
  return spawnSync(process.execPath, args, { encoding: 'utf8', cwd, env, timeout: 60_000 });
}

/** An installed program, without its compiled modules. */
async function installed(): ReturnType<typeof makeTemporaryFolder> {
  const folder = await makeTemporaryFolder();
  for (const part of ['bin', 'package.json', 'dist/cli/program.cjs']) {
    await cp(join(root, part), join(folder.path, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'), 'junction');
  return folder;
}

describe('The start of a command', () => {
  it('loads the program from two files, with their compiled code of the build', () => {
    const loader = pathToFileURL(join(root, 'bin/load-program.js')).href;
    const script = `import { loadBundle } from ${JSON.stringify(loader)};
      const { loaded, loadLater } = loadBundle();
      loadLater();
      for (const part of ['program', 'later']) console.log(loaded[part].script.cachedDataRejected);`;
    const { stdout, stderr } = node(['--input-type=module', '-e', script]);
    assert.equal(stdout, 'false\nfalse\n', stderr);
  });

  it('has nothing but ASCII in the files that are read as Latin-1, also in regular expressions', async () => {
    for (const part of ['program', 'later']) {
      const text = await readFile(join(root, `dist/cli/${part}.cjs`), 'utf8');
      assert.deepEqual(text.match(/[^\0-\x7F].{0,20}/g), null, part);
    }
  });

  it('has files of threads that Node accepts', async () => {
    const files = await readdir(join(root, 'dist/cli'), { recursive: true });
    const threads = files.filter((file) => file.endsWith('-thread.js'));
    assert.ok(threads.length >= 3);
    for (const thread of threads) {
      const { status, stderr } = node(['--check', join(root, 'dist/cli', thread)]);
      assert.equal(status, 0, stderr.slice(-1000));
    }
  });

  it('shares modules between its two files, so that commands recognize the server’s errors', async () => {
    const temporary = await makeTemporaryFolder();
    try {
      const program = join(root, 'bin/assistant.js');
      const run = (...args: string[]) =>
        node([program, ...args], {
          cwd: temporary.path,
          ASSISTANT_PASSWORD: 'only for a moment',
          // An address that is reserved for documentation.
          ASSISTANT_SERVER_HOST: '192.0.2.1',
        });
      const made = run('init', '--yes', '--email', 'a@localhost.example');
      assert.equal(made.status, 0, made.stderr);
      const { status, stderr } = run('serve');
      assert.equal(status, 2, stderr);
      assert.match(stderr, /^assistant: server\.host and server\.port: can't listen/m);
      assert.doesNotMatch(stderr, /^ {4}at /m);
    } finally {
      await temporary.remove();
    }
  });

  it('reports that the program was replaced while a command ran', async () => {
    const temporary = await installed();
    try {
      const another = "(function (exports) {exports.build = 'another'; exports.modules = {};})";
      await writeFile(join(temporary.path, 'dist/cli/later.cjs'), another);
      const loader = pathToFileURL(join(temporary.path, 'bin/load-program.js')).href;
      const script = `import { loadBundle } from ${JSON.stringify(loader)};
        loadBundle().loadLater();`;
      const { stderr } = node(['--input-type=module', '-e', script]);
      assert.match(stderr, /were replaced while it ran\. Run the command again\./);
    } finally {
      await temporary.remove();
    }
  });

  it('names no folder of the build in the stack of an error', () => {
    const loader = pathToFileURL(join(root, 'bin/load-program.js')).href;
    const script = `import { loadBundle } from ${JSON.stringify(loader)};
      loadBundle().program.runProgram(undefined).catch((error) => console.log(error.stack));`;
    const { stdout, stderr } = node(['--input-type=module', '-e', script]);
    assert.match(stdout, /assistant\/program\.cjs:/, stderr);
    assert.ok(!stdout.includes(join(root, 'dist')), stdout);
  });

  it('fails the build if a module is in both files', () => {
    const holding = (...paths: string[]) => ({
      inputs: Object.fromEntries(paths.map((path) => [path, { bytes: 1, imports: [] }])),
      outputs: {},
    });
    const program = holding('<stdin>', 'dist/src/platform/errors.js');
    const later = holding(
      '<stdin>',
      'shared:dist/src/platform/errors.js',
      'dist/src/main/serve.js',
    );
    const both = ['dist/src/platform/errors.js', 'dist/src/main/serve.js'];
    assert.deepEqual(modulesOf(program, later), both);
    assert.throws(() => modulesOf(program, holding(...both)), /errors\.js is in two files/);
  });

  it('works without the modules, and without compiled code or with that of another Node', async () => {
    const temporary = await installed();
    const folder = temporary.path;
    try {
      for (const cache of [undefined, '', 'of another Node'.repeat(1000)]) {
        if (cache !== undefined) await writeFile(join(folder, 'dist/cli/program.cache'), cache);
        const { status, stdout, stderr } = node([join(folder, 'bin/assistant.js'), '--help']);
        assert.equal(status, 0, stderr);
        assert.match(stdout, /^Usage: assistant /);
      }
    } finally {
      await temporary.remove();
    }
  });

  it('prints the version without a build, and prefers modules that are newer than the bundle', async () => {
    const temporary = await installed();
    const folder = temporary.path;
    try {
      const program = join(folder, 'bin/assistant.js');
      const later = new Date(Date.now() + 60_000);
      await writeFile(join(folder, 'dist/.tsbuildinfo'), '{}');
      await utimes(join(folder, 'dist/.tsbuildinfo'), later, later);
      assert.match(node([program, '--version']).stdout, /^\d+\.\d+\.\d+\n$/);
      const unbuilt = node([program, '--help']);
      assert.equal(unbuilt.status, 1);
      assert.match(unbuilt.stderr, /not built yet: run npm ci, or npm run build/);

      await mkdir(join(folder, 'dist/src/main'), { recursive: true });
      const module = 'export async function runProgram() { console.log("the later one"); }';
      await writeFile(join(folder, 'dist/src/main/run-program.js'), module);
      assert.equal(node([program, '--help']).stdout, 'the later one\n');
    } finally {
      await temporary.remove();
    }
  });
});
