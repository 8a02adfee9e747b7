import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { NotUnderstood, type Dict } from './objects.js';
import { rc4 } from './rc4.js';

/** What stands for an empty password (ISO 32000-1, algorithm 2, step a). */
const padding = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);
const zeroes = Buffer.alloc(16);

function md5(...parts: Uint8Array[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** A string of the dictionary, of at least `length` bytes. */
function bytesOf(encrypt: Dict, key: string, length: number): Buffer {
  const bytes = Buffer.from(encrypt.string(key) ?? '', 'latin1');
  if (bytes.length < length) throw new NotUnderstood(`/${key} of the encryption is too short`);
  return bytes.subarray(0, length);
}

/** The key that the empty user password gives, where revisions 2 to 4 say so; undefined when it is not the password. */
export function openWithMd5(
  encrypt: Dict,
  revision: number,
  firstId: Uint8Array,
  keyBytes: number,
): Uint8Array | undefined {
  const owner = bytesOf(encrypt, 'O', 32);
  const user = bytesOf(encrypt, 'U', revision === 2 ? 32 : 16);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE((encrypt.number('P') ?? 0) | 0);
  const bareMetadata = revision >= 4 && encrypt.get('EncryptMetadata') === false;
  const mark = bareMetadata ? Buffer.alloc(4, 255) : Buffer.alloc(0);
  let key = md5(padding, owner, permissions, firstId, mark).subarray(0, keyBytes);
  if (revision === 2) return user.equals(rc4(key, padding)) ? key : undefined;
  for (let round = 0; round < 50; round++) key = md5(key).subarray(0, keyBytes);
  let check: Uint8Array = md5(padding, firstId);
  for (let round = 0; round < 20; round++) {
    const salt = round;
    check = rc4(
      key.map((byte) => byte ^ salt),
      check,
    );
  }
  return user.equals(check) ? key : undefined;
}

/** Algorithm 2.B of ISO 32000-2 for an empty user password. */
function hardenedHash(salt: Uint8Array): Buffer {
  let hash = createHash('sha256').update(salt).digest();
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const repeated = Buffer.alloc(64 * hash.length, hash);
    const cipher = createCipheriv('aes-128-cbc', hash.subarray(0, 16), hash.subarray(16, 32));
    cipher.setAutoPadding(false);
    const mixed = cipher.update(repeated);
    // The first 16 bytes as a number modulo 3: as 256 is 1 modulo 3, the sum of them.
    const sum = mixed.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    const algorithm = ['sha256', 'sha384', 'sha512'][sum % 3] ?? 'sha256';
    hash = createHash(algorithm).update(mixed).digest();
    last = mixed.at(-1) ?? 0;
  }
  return hash.subarray(0, 32);
}

/** The same for revisions 5 and 6, where the password unlocks a key that stands in the file. */
export function openWithSha(encrypt: Dict, revision: number): Uint8Array | undefined {
  const user = bytesOf(encrypt, 'U', 48);
  const locked = bytesOf(encrypt, 'UE', 32);
  const hash = (salt: Uint8Array) =>
    revision === 5 ? createHash('sha256').update(salt).digest() : hardenedHash(salt);
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return undefined;
  const decipher = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), zeroes);
  decipher.setAutoPadding(false);
  return decipher.update(locked);
}
