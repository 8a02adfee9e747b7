import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Dict, Name, NotUnderstood } from '../../../../src/pdf/reader/syntax/objects.js';
import { createDecryptor } from '../../../../src/pdf/reader/syntax/security.js';
import { AppError } from '../../../../src/platform/errors.js';

interface Vector {
  name: string;
  version: number;
  revision: number;
  length: number;
  method?: string;
  bareMetadata?: boolean;
  O: string;
  U: string;
  UE?: string;
  title: string;
  stream: string;
}

/** One small file, encrypted by qpdf 11 with the owner password "boss" by each method. Hexadecimal. */
const vectors: Vector[] = [
  {
    name: 'R2',
    version: 1,
    revision: 2,
    length: 40,
    O: '9292059bdfb7f4873fa0f4aefbe2503c82cbb18702f09889c0996dfea11803c2',
    U: 'b7ff12185a577dd81f10b44ba31effad5a862fd559a5150a785a6aad1dc7cd06',
    title: '09f098f07014a5608242e1',
    stream: '879a10d4fdf89c16de522ace3cc963eb88b55142055811',
  },
  {
    name: 'R3',
    version: 2,
    revision: 3,
    length: 128,
    O: 'b436d18e2c60441a6d8f6d46979c1641f305f91c030faaede3100e66b6daf3bb',
    U: '2536de55bf0cedacf9fbc4d127498b330122456a91bae5134273a6db134c87c4',
    title: 'ea75ff2631d3738d792483',
    stream: 'fe6f191243e4309d549c662bb5aa218c30924cc4c728fe',
  },
  {
    name: 'R4rc4',
    version: 4,
    revision: 4,
    length: 128,
    method: 'V2',
    O: 'b436d18e2c60441a6d8f6d46979c1641f305f91c030faaede3100e66b6daf3bb',
    U: '2536de55bf0cedacf9fbc4d127498b330122456a91bae5134273a6db134c87c4',
    title: 'ea75ff2631d3738d792483',
    stream: 'fe6f191243e4309d549c662bb5aa218c30924cc4c728fe',
  },
  {
    name: 'R4aes',
    version: 4,
    revision: 4,
    length: 128,
    method: 'AESV2',
    O: 'b436d18e2c60441a6d8f6d46979c1641f305f91c030faaede3100e66b6daf3bb',
    U: '2536de55bf0cedacf9fbc4d127498b330122456a91bae5134273a6db134c87c4',
    title: '0e1c2a38465462707e8c9aa8b6c4d2e0659b30fe9a7bc6476133c2ac4693ea54',
    stream:
      '0e1c2a38465462707e8c9aa8b6c4d2e0d413397bd4c6c82606685ead77ee4978cef4af5e7db2f45ba0931815fb166c8b',
  },
  {
    name: 'R4clear',
    version: 4,
    revision: 4,
    length: 128,
    method: 'AESV2',
    bareMetadata: true,
    O: 'b436d18e2c60441a6d8f6d46979c1641f305f91c030faaede3100e66b6daf3bb',
    U: '06aa74d66f3b6c4df30054fbc045a8f20122456a91bae5134273a6db134c87c4',
    title: '0e1c2a38465462707e8c9aa8b6c4d2e037f6330971eddcb623686cfb0080e32c',
    stream:
      '0e1c2a38465462707e8c9aa8b6c4d2e053771c51e02abb23a4497b5161f1ab41420202906decf5d9cb5bfe800fdead9e',
  },
  {
    name: 'R5',
    version: 5,
    revision: 5,
    length: 256,
    method: 'AESV3',
    O: '039c651000a2c82b642d677796c80af7a54a10a446c52136d64976ba8cfe98b3405f538decc781dd4fda2edbce5e4ac0',
    U: 'f304bd27c48dad731fcfa5529d31f77224c92d809de7f7182ccc42ff6105d135569379fdd66c73338bbfb3a51b2c4a94',
    UE: '816f1564b31687c7504d3bfed3046fa757bafb0fe5934af45330b1e692deed49',
    title: '0e1c2a38465462707e8c9aa8b6c4d2e08c4a4bf8f8f962d3f4c6079f8fec109c',
    stream:
      '0e1c2a38465462707e8c9aa8b6c4d2e059dbe76dbef2d5c03d54b8b34b130e73b040c63383ad1909d1e150fe26aed4ee',
  },
  {
    name: 'R6',
    version: 5,
    revision: 6,
    length: 256,
    method: 'AESV3',
    O: '6748ed84f4ea65fd4b83bbaf3af94a907c457e622ebb48efdc0a1c6baed1cfd7c40778f0fd3814aa89476536939778df',
    U: 'a8df9c1d9fb13e6d3dd7871f1bbd124f561596c426fd7198f10772eb66cfd4916cbce80c456a8d4d8be8c6cf985b3657',
    UE: '460e1c411696a5eeac98731e8ac7bccaaff2a54db07fa9cb691b18f7768bbfd2',
    title: '0e1c2a38465462707e8c9aa8b6c4d2e003ee3c766a6a0897ee34ff9aefac5100',
    stream:
      '0e1c2a38465462707e8c9aa8b6c4d2e06cc9e0b87cf332f039ca40848df6e9dac832edded3edc883ac96de17f856c8b9',
  },
  {
    name: 'R6user',
    version: 5,
    revision: 6,
    length: 256,
    method: 'AESV3',
    O: '04da76f9926b479fbb87c06b5231813adf6869fdfc9b4f4d75fc9b94c1c57d08203ea1b727715c80ebdcc5a47d28e344',
    U: 'e2af04104ba565a0db217df6a145a993c457e6545a4f7809469c0f69c2a70f26dd17990b06148e27ca0b998f99937e09',
    UE: 'be2c85e64d9c827ea08a3b12df8f4590c902a10a60681a29649e281bcd124734',
    title: '0e1c2a38465462707e8c9aa8b6c4d2e0ee71e9106b7d999750c78fbe7ff39e23',
    stream:
      '0e1c2a38465462707e8c9aa8b6c4d2e011f87bc6a47de4af57610ba4a6329ed48bdbb436348d8b03bacf07d456b21675',
  },
];
const firstId = fromHex('31415926535897932384626433832795');
const plainTitle = 'Chapter one';
const plainStream = 'BT (Open sesame) Tj ET\n';

function fromHex(text: string): string {
  return Buffer.from(text, 'hex').toString('latin1');
}

function dict(values: Record<string, Dict['entries'] extends Map<string, infer V> ? V : never>) {
  const made = new Dict({ resolve: () => null });
  for (const [key, value] of Object.entries(values)) made.entries.set(key, value);
  return made;
}

function encryptOf(vector: Vector, changes: Parameters<typeof dict>[0] = {}): Dict {
  const { version, revision, length, method } = vector;
  const filter = method === undefined ? undefined : dict({ CFM: Name.of(method), Length: 16 });
  return dict({
    Filter: Name.of('Standard'),
    V: version,
    R: revision,
    P: -4,
    Length: length,
    O: fromHex(vector.O),
    U: fromHex(vector.U),
    ...(vector.UE === undefined ? {} : { UE: fromHex(vector.UE) }),
    ...(filter === undefined ? {} : { CF: dict({ StdCF: filter }) }),
    ...(filter === undefined ? {} : { StmF: Name.of('StdCF'), StrF: Name.of('StdCF') }),
    ...(vector.bareMetadata === true ? { EncryptMetadata: false } : {}),
    ...changes,
  });
}

function named(name: string): Vector {
  const vector = vectors.find((each) => each.name === name);
  assert.ok(vector);
  return vector;
}

describe('The encryption of a PDF', () => {
  for (const vector of vectors.filter(({ name }) => name !== 'R6user')) {
    it(`is decrypted without the owner's password (${vector.name})`, () => {
      const decryptor = createDecryptor(encryptOf(vector), firstId);
      assert.equal(decryptor.decryptString(2, 0, fromHex(vector.title)), plainTitle);
      const stream = decryptor.decryptStream(5, 0, Buffer.from(vector.stream, 'hex'));
      assert.equal(Buffer.from(stream).toString('latin1'), plainStream);
      assert.equal(decryptor.encryptsMetadata, vector.bareMetadata !== true);
    });
  }

  it('is refused with the code encrypted if a password is needed', () => {
    const opening = [
      () => createDecryptor(encryptOf(named('R6user')), firstId),
      () => createDecryptor(encryptOf(named('R2'), { P: -8 }), firstId),
      () => createDecryptor(encryptOf(named('R4aes')), 'another id'),
      () => createDecryptor(encryptOf(named('R5'), { U: 'x'.repeat(48) }), firstId),
    ];
    for (const open of opening) assert.throws(open, { code: 'encrypted' });
  });

  it('accepts unsigned permissions and lengths in bytes', () => {
    const changed = encryptOf(named('R3'), { P: 4294967292, Length: 16 });
    const decryptor = createDecryptor(changed, firstId);
    assert.equal(decryptor.decryptString(2, 0, fromHex(named('R3').title)), plainTitle);
  });

  it('does not decrypt strings or streams that are declared unencrypted', () => {
    const vector = named('R4aes');
    const decryptor = createDecryptor(encryptOf(vector, { StrF: Name.of('Identity') }), firstId);
    assert.equal(decryptor.decryptString(2, 0, 'as it is'), 'as it is');
    const bytes = Buffer.from(vector.stream, 'hex');
    assert.deepEqual(decryptor.decryptStream(5, 0, bytes, 'Identity'), bytes);
    assert.equal(decryptor.decryptStream(5, 0, bytes, 'StdCF').length, plainStream.length);
    assert.throws(() => decryptor.decryptStream(5, 0, bytes, 'Other'), NotUnderstood);
  });

  it('is not understood if its handler, version or method is unknown', () => {
    const vector = named('R4aes');
    const odd: Parameters<typeof dict>[0][] = [
      { Filter: Name.of('Adobe.PubSec') },
      { V: 3 },
      { R: 7 },
      { O: 'short' },
      { CF: dict({ StdCF: dict({ CFM: Name.of('AESV9') }) }) },
    ];
    for (const changes of odd) {
      assert.throws(() => createDecryptor(encryptOf(vector, changes), firstId), NotUnderstood);
    }
  });

  it('is decrypted or refused with a known error for damaged dictionaries and data', () => {
    const keys = fc.constantFrom('V', 'R', 'P', 'Length', 'O', 'U', 'UE', 'StmF', 'CF', 'Filter');
    const value = fc.oneof(
      fc.nat(6),
      fc.double(),
      fc.integer(),
      fc.constant(null),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    const changes = fc.dictionary(keys, value, { maxKeys: 2 });
    const number = fc.nat();
    fc.assert(
      fc.property(
        fc.constantFrom(...vectors),
        changes,
        fc.uint8Array({ maxLength: 70 }),
        number,
        (vector, changed, bytes, num) => {
          try {
            const decryptor = createDecryptor(encryptOf(vector, changed), firstId);
            decryptor.decryptString(num, num, Buffer.from(bytes).toString('latin1'));
            assert.ok(decryptor.decryptStream(num, 0, bytes).length <= bytes.length);
          } catch (error) {
            const known = error instanceof AppError && error.code === 'encrypted';
            assert.ok(known || error instanceof NotUnderstood, String(error));
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
