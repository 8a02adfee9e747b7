import assert from 'node:assert/strict';
import { deflateRawSync, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeFilters } from '../../../../src/pdf/reader/syntax/filters.js';
import { NotUnderstood } from '../../../../src/pdf/reader/syntax/objects.js';
import { AppError } from '../../../../src/platform/errors.js';
import { decode, filter, packLzw, plenty } from './coded-data.js';

const prose = Buffer.from('The quick brown fox. '.repeat(500), 'latin1');

function codes(width: number, ...values: number[]): Uint8Array {
  const bits = values.map((value) => value.toString(2).padStart(width, '0')).join('');
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => parseInt(byte.padEnd(8, '0'), 2));
}

describe('The filters of a PDF', () => {
  it('inflate data that is intact, truncated, or has no header or a wrong checksum', () => {
    const deflated = deflateSync(prose);
    const wrongSum = Buffer.from(deflated);
    wrongSum.writeUInt32BE(1, wrongSum.length - 4);
    assert.deepEqual(decode(deflated, 'FlateDecode'), prose);
    assert.deepEqual(decode(deflated, 'Fl'), prose);
    assert.deepEqual(decode(deflateRawSync(prose), 'FlateDecode'), prose);
    assert.deepEqual(decode(wrongSum, 'FlateDecode'), prose);
    assert.deepEqual(decode(Buffer.concat([deflated, Buffer.from('\r\n')]), 'FlateDecode'), prose);
    const random = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * index) % 251));
    const cut = decode(deflateSync(random).subarray(0, 400), 'FlateDecode');
    assert.ok(cut.length > 100);
    assert.deepEqual(cut, random.subarray(0, cut.length));
  });

  it('return the data before the damage in a deflated stream', () => {
    const words = Buffer.from(Array.from({ length: 6000 }, (_, index) => index * index).join(' '));
    const deflated = Buffer.from(deflateSync(words));
    deflated.fill(0xff, deflated.length >> 1, (deflated.length >> 1) + 40);
    const decoded = decode(deflated, 'FlateDecode');
    const quarter = words.length >> 2;
    assert.deepEqual(decoded.subarray(0, quarter), words.subarray(0, quarter));
  });

  it('decode LZW with both values of EarlyChange, and stop at an invalid code', () => {
    // The example of ISO 32000-1, 7.4.4.2.
    const example = codes(9, 256, 45, 258, 258, 65, 259, 66, 257);
    const unpacked = Buffer.from([45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
    assert.deepEqual(decode(example, 'LZWDecode'), unpacked);
    assert.deepEqual(decode(example, 'LZW', { EarlyChange: 0 }), unpacked);
    assert.deepEqual(decode(codes(9, 256, 45, 300, 65), 'LZW'), Buffer.from([45]));
    for (const early of [0, 1]) {
      const packed = packLzw(prose, early);
      assert.deepEqual(decode(packed, 'LZW', { EarlyChange: early }), prose, `early ${early}`);
    }
  });

  it('decode ASCII85 and hexadecimal text with spaces, a partial last group or no end mark', () => {
    const text = Buffer.from('Man is distinguished');
    assert.deepEqual(decode(Buffer.from('9jqo^BlbD-BleB1DJ+*+F(f,q~>'), 'ASCII85Decode'), text);
    assert.deepEqual(decode(Buffer.from('<~9jqo^Bl\nbD-BleB1DJ+*+F(f,q'), 'A85'), text);
    assert.deepEqual(decode(Buffer.from('z5l~>'), 'A85'), Buffer.from([0, 0, 0, 0, 65]));
    assert.deepEqual(decode(Buffer.from('4 1 4\n27>43'), 'AHx'), Buffer.from('AB\x70'));
  });

  it('decode run lengths, even if the end is truncated', () => {
    const packed = Buffer.from([2, 65, 66, 67, 254, 68, 128, 1]);
    assert.deepEqual(decode(packed, 'RunLengthDecode'), Buffer.from('ABCDDD'));
    assert.deepEqual(decode(Buffer.from([5, 65, 66]), 'RL'), Buffer.from('AB'));
  });

  it('undo every PNG prediction of a row', () => {
    const rows = [
      [0, 1, 2, 3],
      [1, 1, 1, 1],
      [2, 1, 1, 1],
      [3, 1, 1, 1],
      [4, 1, 1, 1],
      [0, 9],
    ];
    const values = { Predictor: 12, Columns: 3 };
    const plain = decode(deflateSync(Buffer.from(rows.flat())), 'FlateDecode', values);
    const expected = [[1, 2, 3], [1, 2, 3], [2, 3, 4], [2, 3, 4], [3, 4, 5], [9]];
    assert.deepEqual([...plain], expected.flat());
  });

  it('undo the TIFF prediction for samples of 1, 4, 8 and 16 bits', () => {
    const undo = (bits: number, colors: number, columns: number, ...bytes: number[]) => {
      const values = { Predictor: 2, BitsPerComponent: bits, Colors: colors, Columns: columns };
      return [...decode(deflateSync(Buffer.from(bytes)), 'Fl', values)];
    };
    assert.deepEqual(undo(8, 3, 2, 1, 2, 3, 1, 1, 1, 5), [1, 2, 3, 2, 3, 4, 5]);
    assert.deepEqual(undo(16, 1, 2, 0, 255, 0, 1), [0, 255, 1, 0]);
    assert.deepEqual(undo(4, 1, 4, 0x11, 0x11), [0x12, 0x34]);
    assert.deepEqual(undo(1, 1, 8, 0b10000001), [0b11111110]);
  });

  it('never decode pictures, refuse unknown filters and long chains, and pass Crypt through', () => {
    for (const name of ['DCTDecode', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode']) {
      assert.equal(decode(prose, name).length, 0);
    }
    assert.throws(() => decode(prose, 'Zip'), NotUnderstood);
    const many = Array.from({ length: 99 }, () => filter('AHx'));
    assert.throws(() => decodeFilters(prose, many, plenty), NotUnderstood);
    assert.deepEqual(decode(prose, 'Crypt'), prose);
  });

  it('either decode within the limit or refuse with a known error, for any bytes and parameters', () => {
    const names = fc.constantFrom('Fl', 'LZW', 'A85', 'AHx', 'RL', 'Crypt', 'Odd');
    const odd = fc.oneof(fc.integer(), fc.double(), fc.nat(20), fc.constant(null));
    const keys = fc.constantFrom(
      'Predictor',
      'Colors',
      'BitsPerComponent',
      'Columns',
      'EarlyChange',
    );
    const filters = fc.array(fc.tuple(names, fc.dictionary(keys, odd)), { maxLength: 3 });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }).map((plain) => Uint8Array.from(deflateSync(plain))),
    );
    fc.assert(
      fc.property(bytes, filters, (encoded, chain) => {
        const wanted = chain.map(([name, values]) => filter(name, values));
        try {
          assert.ok(decodeFilters(encoded, wanted, 5000).length <= 5000);
        } catch (error) {
          const known = error instanceof AppError && error.code === 'out_of_memory';
          assert.ok(known || error instanceof NotUnderstood, String(error));
        }
      }),
      { numRuns: 500 },
    );
  });
});
