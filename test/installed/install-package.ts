import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/platform/package-root.js';

export interface Packed {
  /** The path of the tarball. */
  file: string;
  /** The files in it. */
  files: string[];
}

/** Runs npm as a person does: with the named Node, and without the variables of the npm that runs the tests. */
async function npm(folder: string, node: string, args: string[]): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const path = [dirname(node), process.env['PATH']].join(delimiter);
  const options = { cwd: folder, env: { ...Object.fromEntries(own), PATH: path } };
  return (await promisify(execFile)('npm', args, { ...options, maxBuffer: 2 ** 26 })).stdout;
}

/** Packs the product as it was built into `folder`. */
export async function packProduct(folder: string): Promise<Packed> {
  const packer = join(packageRoot(), 'bin/pack-product.js');
  const { stdout: answer } = await promisify(execFile)(process.execPath, [packer, folder]);
  const [packed] = JSON.parse(answer) as [{ filename: string; files: { path: string }[] }];
  return { file: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

/** Installs a package below `folder`, as the documentation says, with the named Node. Returns the package's folder. */
export async function installInto(
  folder: string,
  node: string,
  { name, from, script }: { name: string; from: string; script?: string },
): Promise<string> {
  // From npm 12 on, scripts of packages run only if they are allowed.
  const allowed = script === undefined ? [] : [`--allow-scripts=${script}`];
  const options = ['--global', '--prefix', folder, ...allowed];
  await npm(folder, node, ['install', '--no-audit', '--no-fund', ...options, from]);
  return join(folder, 'lib/node_modules', name);
}

/** Installs the packed product below `folder`, and returns the path of the program's file. */
export async function installProduct(
  folder: string,
  node: string,
  { file }: Packed,
): Promise<string> {
  const product = { name: 'assistant', from: file, script: 'sqlite3' };
  return join(await installInto(folder, node, product), 'bin/assistant.js');
}

/** The bytes and the number of the files below a folder. */
export async function measureFolder(folder: string): Promise<{ bytes: number; files: number }> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((one) => one.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), files: files.length };
}
