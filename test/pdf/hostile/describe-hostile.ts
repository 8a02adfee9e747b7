import assert from 'node:assert/strict';
import { createJudge, type JudgeOptions } from './extraction-outcome.js';

/** One thread that recognises text, with little more memory than it needs for that. */
export const readingPictures: JudgeOptions = { workers: 1, workerMemoryMb: 256, ocr: 'auto' };

/** Reads hostile PDFs, which are made on demand. */
export function describeHostile(
  title: string,
  files: Record<string, () => Buffer>,
  options?: JudgeOptions,
): void {
  describe(title, function () {
    this.timeout(0);
    let judge: ReturnType<typeof createJudge>;
    before(() => {
      judge = createJudge(options);
    });
    after(() => judge.close());

    for (const [name, make] of Object.entries(files)) {
      it(`is read or refused within its limits: ${name}`, async () => {
        const { end, milliseconds, grownMb, fault } = await judge.judge(make());
        if (process.env['PDF_FUZZ_ROUNDS'] !== undefined) {
          console.log(`      ${end}, ${milliseconds} ms, ${grownMb} MB`);
        }
        assert.equal(fault, undefined);
      });
    }
  });
}

/** Files that take a second each. The others contain a quicker file for each kind of attack. */
export const heavy = new Set([
  'a content stream that expands a thousandfold under two filters',
  'a page that contains one decompression bomb a hundred times',
  'a page of one long array of text',
  'a page of millions of saved states',
  'a page of numbers without an operator',
  'a page that is one string',
  'a page of empty inline pictures',
  'object streams that are larger than allowed',
  'a ToUnicode map that is a decompression bomb',
  'a font file that is a decompression bomb',
  'a CIDToGIDMap that is a decompression bomb',
  'a ToUnicode map with a value of a megabyte',
  'a million references to one page',
  'a million references to missing pages',
  'a page tree a hundred thousand levels deep',
  'dictionaries a million deep',
  'arrays that never close',
  'dictionaries that never close in a page',
  'a content stream that expands a thousandfold, without cross-references',
]);
