import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentKind } from '../../src/documents/document.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { createJudge } from '../pdf/hostile/extraction-outcome.js';
import { createRandom, type Random } from '../pdf/hostile/mutate.js';
import { hostileDocuments } from './hostile-documents.js';
import { docx, odt, p } from './read.js';

const rounds = Number(process.env['DOCUMENT_FUZZ_ROUNDS'] ?? 120);
const seed = Number(process.env['DOCUMENT_FUZZ_SEED'] ?? 1);
/** In bytes: larger attacks are tried as they are, in hostile.test.ts. */
const largest = 300_000;

interface Sample {
  kind: DocumentKind;
  bytes: Buffer;
}

const table = `<w:tbl><w:tr><w:tc>${p('a')}</w:tc><w:tc>${p('b')}</w:tc></w:tr></w:tbl>`;
const list = '<text:list><text:list-item><text:p>x</text:p></text:list-item></text:list>';

async function readSamples(): Promise<Sample[]> {
  const folder = join(packageRoot(), 'docs');
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const texts = await Promise.all(pages.map((name) => readFile(join(folder, name))));
  const own = Object.values(hostileDocuments)
    .map(({ kind, make }): Sample => ({ kind, bytes: Buffer.from(make()) }))
    .filter(({ bytes }) => bytes.length <= largest);
  const page = `<html><body><nav>n</nav><main><h1 id=a>A</h1><p>Text <b>bold</b> <code>c</code></p>${'<table><tr><th>a<td rowspan=2>b<tr><td>c</table><ul><li>x<ol><li>y</ol></ul>'.repeat(5)}</main>`;
  return [
    ...texts.flatMap((bytes): Sample[] => [
      { kind: 'markdown', bytes },
      { kind: 'text', bytes },
    ]),
    { kind: 'html', bytes: Buffer.from(page) },
    { kind: 'docx', bytes: Buffer.from(docx(p('Start', 'berschrift1') + p('Text.') + table)) },
    { kind: 'odt', bytes: Buffer.from(odt(`<text:h>Start</text:h><text:p>Text.</text:p>${list}`)) },
    ...own,
  ];
}

function mutate({ bytes }: Sample, random: Random, other: Sample): Buffer {
  const file = Buffer.from(bytes);
  const from = random(file.length + 1);
  const length = random(2000);
  switch (random(5)) {
    case 0:
      for (let count = 1 + random(30); count > 0; count--) file[random(file.length)] = random(256);
      return file;
    case 1:
      return file.subarray(0, from);
    case 2: {
      // A piece many times.
      const piece = file.subarray(from, from + 1 + random(60));
      const times = Array.from({ length: 1 + random(3000) }, () => piece);
      return Buffer.concat([file.subarray(0, from), ...times, file.subarray(from)]);
    }
    case 3:
      return Buffer.concat([file.subarray(0, from), file.subarray(from + length)]);
    default: {
      const start = random(other.bytes.length + 1);
      return Buffer.concat([
        file.subarray(0, from),
        other.bytes.subarray(start, start + length),
        file.subarray(from),
      ]);
    }
  }
}

describe('A randomly changed document', function () {
  this.timeout(0);
  let judge: ReturnType<typeof createJudge>;
  before(() => {
    judge = createJudge();
  });
  after(() => judge.close());

  it(`is read or refused within its limits (${rounds} rounds, seed ${seed})`, async () => {
    const samples = await readSamples();
    const ends = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      const random = createRandom(seed * 1_000_003 + round);
      const sample = samples[random(samples.length)] as Sample;
      const file = mutate(sample, random, samples[random(samples.length)] as Sample);
      const { end, milliseconds, fault } = await judge.judge(file, sample.kind);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (fault === undefined) continue;
      const kept = join(tmpdir(), `document-fuzz-${seed}-${round}.${sample.kind}`);
      await writeFile(kept, file);
      assert.fail(`seed ${seed}, round ${round} (${milliseconds} ms): ${fault}. The file: ${kept}`);
    }
    if (process.env['DOCUMENT_FUZZ_ROUNDS'] !== undefined) console.log(Object.fromEntries(ends));
    assert.ok((ends.get('completed') ?? 0) > 0, 'some files are still read');
  });
});
