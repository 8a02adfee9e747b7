import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';

/** A page of the documentation, by its path in the product. */
export function readPage(path: string): string {
  return readFileSync(join(packageRoot(), path), 'utf8');
}

/** The tables of a section without their heads: rows of cells. */
export function tablesUnder(page: string, heading: string): string[][][] {
  const section = page.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const tables = section.match(/^\|.*(\n\|.*)*/gm) ?? [];
  return tables.map((table) =>
    table
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}

/** The code blocks in a language. */
export function blocksOf(page: string, language: string): string[] {
  const blocks = page.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm);
  return [...blocks].filter(([, tag]) => tag === language).map(([, , code = '']) => code);
}

/** Fails if a picture, file or heading that a page links to does not exist. */
export function checkLinks(path: string): void {
  const page = readPage(path);
  const folder = dirname(join(packageRoot(), path));
  const links = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  for (const target of links.filter((link) => !/^(https?:|#)/.test(link))) {
    const [file = ''] = target.split('#');
    assert.ok(existsSync(join(folder, file)), `${path}: ${target} is missing`);
  }
  const anchors = new Set(
    [...page.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  for (const target of links.filter((link) => link.startsWith('#')))
    assert.ok(anchors.has(target.slice(1)), `${path}: there is no heading ${target}`);
}
