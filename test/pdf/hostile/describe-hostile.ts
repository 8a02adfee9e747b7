import assert from 'node:assert/strict';
import { createJudge } from './extraction-outcome.js';
import { hostileFiles } from './hostile-files.js';

/** Has those hostile PDFs read whose name `takes` names. */
export function describeHostile(title: string, takes: (name: string) => boolean): void {
  describe(title, function () {
    this.timeout(0);
    let judge: ReturnType<typeof createJudge>;
    before(() => {
      judge = createJudge();
    });
    after(() => judge.close());

    for (const [name, make] of Object.entries(hostileFiles).filter(([name]) => takes(name))) {
      it(`ends within its limits: ${name}`, async () => {
        const { end, milliseconds, grownMb, fault } = await judge.judge(make());
        if (process.env['PDF_FUZZ_ROUNDS'] !== undefined) {
          console.log(`      ${end}, ${milliseconds} ms, ${grownMb} MB`);
        }
        assert.equal(fault, undefined);
      });
    }
  });
}

/** They take a second each. Of each kind of attack there are quicker ones beside them. */
export const heavy = new Set([
  'the same under two filters',
  'a page whose contents are a bomb a hundred times',
  'a page of one long array of text',
  'a page of saved states without end',
  'a page of numbers without an operator',
  'a page that is one string',
  'a page of empty inline pictures',
  'object streams that are larger than allowed',
  'a bomb for a map to Unicode',
  'a bomb for a font file',
  'a bomb for a map from characters to glyphs',
  'a map to Unicode with a value of a megabyte',
  'a million pages that are one',
  'a million pages that are not there',
  'a page tree a hundred thousand levels deep',
  'dictionaries a million deep',
  'arrays that never close',
  'dictionaries that never close in a page',
  'a content stream of 1:1000, for the patient reader',
]);
