import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../src/platform/package-root.js';
import { startHost, type HostSettings, type RunningHost } from './start-host.js';

export interface ExampleHost {
  name: string;
  /** The reason why it can't run on this machine. */
  missing?: string;
  /** `folder` is an empty folder for its files. */
  start(folder: string, settings: HostSettings): Promise<RunningHost>;
}

const page = readFileSync(join(packageRoot(), 'docs', 'identity.md'), 'utf8');

/** The only host of the page in a language: the code block with the words "Run it". */
function hostIn(language: string): string {
  const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const found = blocks.filter(([, tag, code = '']) => tag === language && /Run it: /.test(code));
  const [, , code] = found[0] ?? [];
  if (code !== undefined && found.length === 1) return code;
  throw new Error(`docs/identity.md has ${found.length} hosts in ${language}`);
}

/** An interpreter that can be missing or too old for its host. */
function interpreter(command: string, [major, minor]: [number, number]): { missing?: string } {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  if (status !== 0) return { missing: `${command} does not run here.` };
  const [version = '', first, second] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  const isNew = Number(first) > major || (Number(first) === major && Number(second) >= minor);
  return isNew ? {} : { missing: `${command} ${version} is older than ${major}.${minor}.` };
}

function compiled(name: string): ExampleHost {
  const example = join('templates', 'examples', name);
  return {
    name: example,
    start: (_, settings) =>
      startHost(process.execPath, [join(packageRoot(), 'dist', example, 'host.js')], {
        settings,
        cwd: join(packageRoot(), example),
      }),
  };
}

/** All hosts for customers to copy: those of the templates, and those of docs/identity.md. */
export const exampleHosts: ExampleHost[] = [
  compiled('node-host'),
  compiled('express-host'),
  {
    name: 'The host in TypeScript of docs/identity.md',
    async start(folder, settings) {
      const file = join(folder, 'host.mjs');
      const { outputText } = ts.transpileModule(hostIn('ts'), {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      });
      await writeFile(file, outputText);
      return startHost(process.execPath, [file], { settings, cwd: folder });
    },
  },
  {
    name: 'The host in Python of docs/identity.md',
    ...interpreter('python3', [3, 9]),
    async start(folder, settings) {
      await writeFile(join(folder, 'host.py'), hostIn('python'));
      return startHost('python3', ['host.py'], { settings, cwd: folder });
    },
  },
  {
    name: 'The host in PHP of docs/identity.md',
    ...interpreter('php', [8, 0]),
    async start(folder, settings) {
      await writeFile(join(folder, 'host.php'), hostIn('php'));
      const sessions = ['-d', `session.save_path=${folder}`];
      const args = [...sessions, '-S', '127.0.0.1:0', 'host.php'];
      return startHost('php', args, { settings, cwd: folder });
    },
  },
];
