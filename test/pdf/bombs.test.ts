import assert from 'node:assert/strict';
import { decodeImage } from '../../src/pdf/ocr/decode-image.js';
import { loadDecoders, type Decoders } from '../../src/pdf/ocr/decoders.js';
import { openPdf } from '../../src/pdf/reader/open-pdf.js';
import { NotUnderstood } from '../../src/pdf/reader/syntax/objects.js';
import { bombs } from './hostile/bombs.js';
import { describeHostile, readingPictures } from './hostile/describe-hostile.js';
import { select } from './hostile/hostile-files.js';
import { pictureBombs } from './hostile/picture-bombs.js';

const quick = new Set([
  'LZW that unpacks to gigabytes',
  'ASCII85 within Flate that unpacks to gigabytes',
  'eight Flate filters, one in another',
  'an object stream of two billion objects',
  'cross-reference tables in a circle',
  'more pages than there are atoms',
  'a character map with thousands of full ranges',
  'a font program of endless groups of glyphs',
  'JBIG2: a region of 100,000 pixels square',
  'JPEG 2000: sixty thousand tiles of one pixel',
  'fax: eighty million columns',
]);

describeHostile(
  'A small PDF that unpacks to gigabytes',
  select(bombs, (name) => quick.has(name)),
);
describeHostile(
  'A scan that unpacks to gigabytes',
  select(pictureBombs, (name) => quick.has(name)),
  readingPictures,
);

describe('A picture that states a huge size', function () {
  this.timeout(20_000);
  let decoders: Decoders;
  before(async () => {
    decoders = await loadDecoders();
  });

  const stated = /^(JBIG2: (a region|a lossless|a second|a text|a half|.*patterns)|JPEG|fax)/;
  const exceptions = ['JPEG 2000: sixteen thousand components'];
  const refused = select(pictureBombs, (name) => stated.test(name) && !exceptions.includes(name));
  for (const [name, make] of Object.entries(refused)) {
    it(`is refused before memory is taken for it: ${name}`, async () => {
      const [picture] = openPdf(new Uint8Array(make())).readPictures(1).pictures;
      assert.ok(picture !== undefined);
      const before = process.memoryUsage().rss;
      await assert.rejects(
        decodeImage(picture.image, decoders),
        (error) => error instanceof NotUnderstood && error.message.startsWith('a picture of '),
      );
      const grownMb = Math.round((process.memoryUsage().rss - before) / 1024 / 1024);
      assert.ok(grownMb < 100, `it took ${grownMb} MB`);
    });
  }
});
