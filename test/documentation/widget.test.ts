import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../src/platform/package-root.js';

const file = join(packageRoot(), 'docs', 'widget.md');

describe('docs/widget.md', () => {
  const text = readFileSync(file, 'utf8');
  const source = readFileSync(join(packageRoot(), 'src/chat/api-types.ts'), 'utf8');
  const types = ts.createSourceFile('api-types.ts', source, ts.ScriptTarget.ES2022);

  /** What an interface of the widget's declarations promises. */
  const membersOf = (name: string): string[] => {
    const found = types.statements.find(
      (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
    );
    assert.ok(found !== undefined && ts.isInterfaceDeclaration(found), name);
    return found.members.map((member) => member.name?.getText(types) ?? '').sort();
  };
  /** The cells of the table under a heading, without its head. */
  const tableUnder = (heading: string): string[][] => {
    const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
    const lines = section.split('\n').filter((line) => line.startsWith('|'));
    return lines.slice(2).map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  };
  const named = (cell = '') => [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name);

  it('tells of every option, with its attribute', () => {
    const rows = tableUnder('Options');
    assert.deepEqual(
      rows.flatMap(([option]) => named(option)).sort(),
      membersOf('AssistantConfig'),
    );
    for (const [option = '', attribute = ''] of rows) {
      const kebab = named(option)[0]?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      if (option !== '`getUserToken`') assert.equal(attribute, `\`data-${kebab ?? ''}\``);
    }
  });

  it('tells of every function and every event', () => {
    const functions = tableUnder('Functions').flatMap(([cell]) => named(cell));
    assert.deepEqual(functions.sort(), membersOf('AssistantApi'));
    const events = tableUnder('Events').flatMap(([cell]) => named(cell));
    assert.deepEqual(events.sort(), membersOf('AssistantEvents'));
  });

  it('shows pictures and leads to places that exist', () => {
    for (const [, target = ''] of text.matchAll(/\]\(([^)#\s]+)\)/g))
      if (!target.startsWith('http'))
        assert.ok(existsSync(join(dirname(file), target)), `${target} is missing`);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const [, anchor = ''] of text.matchAll(/\]\(#([\w-]+)\)/g))
      assert.ok(headings.includes(anchor), `there is no heading ${anchor}`);
  });
});
