import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../../src/main/create-program.js';
import { operations } from '../../src/main/create-server.js';
import { settingVariables } from '../../src/platform/config/environment.js';
import { packageRoot } from '../../src/platform/package-root.js';

const files = [
  ...['README.md', 'CONTRIBUTING.md', 'config.example.yaml'],
  ...['docs', 'docs/manual'].flatMap((folder) =>
    readdirSync(join(packageRoot(), folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
];

describe('The documentation', () => {
  const texts = files.map(
    (file) => [file, readFileSync(join(packageRoot(), file), 'utf8')] as const,
  );
  /** The code of a page: blocks and spans. */
  const codeOf = (text: string) =>
    [...text.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
      (match) => match[1] ?? match[2] ?? '',
    );
  const program = createProgram({
    withApp: () => Promise.resolve(),
    withConfig: () => Promise.resolve(),
    withTerminal: () => Promise.resolve(),
  });

  it('names only existing commands and options', () => {
    for (const [file, text] of texts) {
      const lines = codeOf(text).flatMap((code) => code.split('\n'));
      // One line can name several commands: "assistant batches list   # then: assistant batches show <id>".
      for (const [, rest = ''] of lines
        .join('\n')
        .matchAll(/(?<=^|[\s(])assistant ((?:(?!\bassistant\b).)+)/gm)) {
        let command: Command = program;
        for (const word of rest.trim().split(/\s+/)) {
          const next = command.commands.find((candidate) => candidate.name() === word);
          if (next === undefined) {
            // `eval` takes a file, and also has a subcommand.
            const takesValues =
              command.commands.length === 0 || command.registeredArguments.length > 0;
            const isPart = takesValues || /^[-<\[{]/.test(word);
            assert.ok(isPart, `${file}: "assistant ${rest}" names no command of the program`);
            break;
          }
          command = next;
        }
        const known = [...command.options, ...program.options].map((option) => option.long);
        known.push('--help');
        for (const [option] of rest.matchAll(/(?<=\s)--[a-z][a-z0-9-]*/g)) {
          assert.ok(known.includes(option), `${file}: ${command.name()} has no option ${option}`);
        }
      }
    }
  });

  it('names only existing settings and environment variables', () => {
    const variables = settingVariables();
    const groups = new Set([...variables.values()].map(([group]) => group));
    const keys = new Set([...variables.values()].map(([group, key]) => `${group}.${key}`));
    for (const [file, text] of texts) {
      for (const [name] of text.matchAll(/\bASSISTANT_[A-Z_]+\b/g)) {
        const other = ['ASSISTANT_CONFIG', 'ASSISTANT_PASSWORD', 'ASSISTANT_TOKEN'].includes(name);
        assert.ok(other || variables.has(name), `${file}: there is no variable ${name}`);
      }
      for (const [key, group] of text.matchAll(/\b([a-z]+)\.[a-z]+(?:_[a-z]+)+\b/g)) {
        if (group !== undefined && groups.has(group)) {
          assert.ok(keys.has(key), `${file}: there is no setting ${key}`);
        }
      }
    }
  });

  it('names only addresses that the server answers', () => {
    const known = operations.map(({ path }) => path.replaceAll(/:[a-z_]+/g, ':x'));
    for (const [file, text] of texts) {
      for (const [path] of text.matchAll(/(?<![\w/.])\/(?:api|health)\/[a-z0-9_:./-]+[a-z0-9_]/g)) {
        const plain = path.replaceAll(/:[a-z_]+|\/[0-9a-f-]{36}|\/\d+(?![^/])/g, (part) =>
          part.startsWith('/') ? '/:x' : ':x',
        );
        const isThere = known.some((address) => `${address}/`.startsWith(`${plain}/`));
        assert.ok(isThere, `${file}: there is nothing at ${path}`);
      }
    }
  });

  it('names only existing files and folders, in code and in links', () => {
    const root = packageRoot();
    for (const [file, text] of texts) {
      const named = codeOf(text).flatMap((code) => [
        ...code.matchAll(
          /(?<![\w./-])(?:src|test|bench|docs|templates|bin)\/[\w./-]*[\w-](?![\w<*{-])/g,
        ),
      ]);
      const links = [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]+)[^)]*\)/g)];
      const paths = [
        ...named.map(([path]) => join(root, path)),
        ...links.map(([, path = '']) => join(root, dirname(file), path)),
      ];
      // The benchmarks write this folder.
      const there = (path: string) => existsSync(path) || path.includes('bench/results');
      for (const path of paths) assert.ok(there(path), `${file}: there is no ${path}`);
    }
  });

  it('describes each folder of src', () => {
    const [, text = ''] = texts.find(([file]) => file === 'CONTRIBUTING.md') ?? [];
    const rows = [...text.matchAll(/^\| (`src\/.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`src\/(\w+)`/g)].map(([, folder]) => folder),
    );
    assert.deepEqual(rows.sort(), readdirSync(join(packageRoot(), 'src')).sort());
  });
});
