import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPdfExtractor } from '../../src/documents/threads/extract-pdf.js';
import { AppError } from '../../src/platform/errors.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { manual, options } from './router-manual.js';

/** Every PDF of the repository, and one made for tests. */
async function repositoryPdfs(): Promise<[name: string, bytes: Uint8Array][]> {
  const files: [string, Uint8Array][] = [['router manual', await manual(30)]];
  for (const folder of ['test/fixtures/pdf', 'docs/manual']) {
    const path = join(packageRoot(), folder);
    for (const name of await readdir(path)) {
      if (name.endsWith('.pdf'))
        files.push([name, new Uint8Array(await readFile(join(path, name)))]);
    }
  }
  return files;
}

/** What each file becomes, read one beside the other in the given order. */
async function readAll(
  files: readonly [string, Uint8Array][],
  workers: number,
): Promise<Map<string, string>> {
  const extractor = createPdfExtractor({ workers, workerMemoryMb: 512 });
  try {
    const results = files.map(async ([name, bytes]): Promise<[string, string]> => {
      const result = await extractor
        .extract(bytes, options, { onPages: () => undefined })
        .catch((error: unknown) => {
          if (error instanceof AppError) return error.code;
          throw error;
        });
      return [name, createHash('sha256').update(JSON.stringify(result)).digest('hex')];
    });
    return new Map(await Promise.all(results));
  } finally {
    await extractor.close();
  }
}

describe('The same PDF', () => {
  it('becomes the same, however many threads read it and whatever they read before', async () => {
    const files = await repositoryPdfs();
    const expected = await readAll(files, 1);
    assert.equal(expected.size, files.length);
    for (const [workers, order] of [
      [2, files.toReversed()],
      [4, [...files.slice(3), ...files.slice(0, 3)]],
    ] as const) {
      const results = await readAll(order, workers);
      for (const [name, hash] of expected) assert.equal(results.get(name), hash, name);
    }
  });
});
