import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { decode, packLzw } from './coded-data.js';

describe('The filters of a PDF at their limit', () => {
  it('refuse more decoded data than the limit with out_of_memory', () => {
    const bomb = deflateSync(Buffer.alloc(3_000_000));
    const run = Buffer.from(Array.from({ length: 40_000 }, (_, index) => (index % 2 ? 65 : 129)));
    const text = Buffer.from('z'.repeat(300_000));
    const bombs: [Uint8Array, string][] = [
      [bomb, 'FlateDecode'],
      [packLzw(Buffer.alloc(1_100_000), 1), 'LZWDecode'],
      [text, 'ASCII85Decode'],
      [run, 'RunLengthDecode'],
      [Buffer.alloc(2_100_000, '41'), 'ASCIIHexDecode'],
    ];
    for (const [bytes, name] of bombs) {
      assert.throws(() => decode(bytes, name), { code: 'out_of_memory' }, name);
    }
    const damaged = Buffer.concat([bomb.subarray(0, -400), Buffer.alloc(400, 255)]);
    assert.throws(() => decode(damaged, 'FlateDecode'), { code: 'out_of_memory' });
  });
});
