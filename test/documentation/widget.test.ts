import assert from 'node:assert/strict';
import ts from 'typescript';
import { checkLinks, readPage, tablesUnder } from './read-page.js';

const path = 'docs/widget.md';

describe('docs/widget.md', () => {
  const page = readPage(path);
  const source = readPage('src/chat/api-types.ts');
  const types = ts.createSourceFile('api-types.ts', source, ts.ScriptTarget.ES2022);

  /** The members of an interface in the widget's declarations. */
  const membersOf = (name: string): string[] => {
    const found = types.statements.find(
      (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
    );
    assert.ok(found !== undefined && ts.isInterfaceDeclaration(found), name);
    return found.members.map((member) => member.name?.getText(types) ?? '').sort();
  };
  const named = (cell = '') => [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name);

  it('lists every option with its attribute', () => {
    const rows = tablesUnder(page, 'Options').flat();
    assert.deepEqual(
      rows.flatMap(([option]) => named(option)).sort(),
      membersOf('AssistantConfig'),
    );
    for (const [option = '', attribute = ''] of rows) {
      const kebab = named(option)[0]?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      if (option !== '`getUserToken`') assert.equal(attribute, `\`data-${kebab ?? ''}\``);
    }
  });

  it('lists every function and every event', () => {
    const functions = tablesUnder(page, 'Functions')
      .flat()
      .flatMap(([cell]) => named(cell));
    assert.deepEqual(functions.sort(), membersOf('AssistantApi'));
    const events = tablesUnder(page, 'Events')
      .flat()
      .flatMap(([cell]) => named(cell));
    assert.deepEqual(events.sort(), membersOf('AssistantEvents'));
  });

  it('links only to existing pictures, pages and headings', () => checkLinks(path));
});
