import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { AppError } from '../../../platform/errors.js';
import { type Dict, NotUnderstood } from './objects.js';

/**
 * Decrypts strings and streams. The caller must skip what is never encrypted: the encryption dictionary,
 * cross-reference streams, and everything in an object stream.
 */
export interface Decryptor {
  /** False when /Metadata streams are not encrypted. */
  readonly encryptsMetadata: boolean;
  decryptString(num: number, gen: number, text: string): string;
  /** @param filterName The name in the parameters of the stream's Crypt filter, if any. */
  decryptStream(num: number, gen: number, bytes: Uint8Array, filterName?: string): Uint8Array;
}

type Method = 'identity' | 'rc4' | 'aes' | 'aes-of-file';

/** The error for a file that needs a password. */
export function passwordNeeded(cause?: unknown): AppError {
  return new AppError(
    'encrypted',
    'The PDF needs a password to be opened. Save a copy without the password and upload that.',
    { cause },
  );
}

/**
 * The standard security handler, revisions 2 to 6, with the empty user password. An owner password restricts printing
 * and copying but does not prevent reading. Refuses with encrypted when a password is needed. Throws NotUnderstood for
 * other handlers and unknown methods.
 * @param encrypt The dictionary /Encrypt, with undecrypted strings.
 * @param firstId The first string of /ID in the trailer; empty when there is none.
 */
export function createDecryptor(encrypt: Dict, firstId: string): Decryptor {
  const handler = encrypt.name('Filter');
  if (handler !== 'Standard') throw new NotUnderstood(`security handler ${handler ?? 'unnamed'}`);
  const version = encrypt.number('V') ?? 0;
  const revision = encrypt.number('R') ?? 0;
  const fileKey = findFileKey(encrypt, version, revision, Buffer.from(firstId, 'latin1'));
  if (fileKey === undefined) throw passwordNeeded();
  const methodOf = (name: string) => (version < 4 ? 'rc4' : readMethod(encrypt, name));
  const forStreams = methodOf(encrypt.name('StmF') ?? 'Identity');
  const forStrings = methodOf(encrypt.name('StrF') ?? 'Identity');
  return {
    encryptsMetadata: encrypt.get('EncryptMetadata') !== false,
    decryptString(num, gen, text) {
      const bytes = decrypt(forStrings, fileKey, num, gen, Buffer.from(text, 'latin1'));
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    },
    decryptStream(num, gen, bytes, filterName) {
      const method = filterName === undefined ? forStreams : methodOf(filterName);
      return decrypt(method, fileKey, num, gen, bytes);
    },
  };
}

function findFileKey(
  encrypt: Dict,
  version: number,
  revision: number,
  firstId: Uint8Array,
): Uint8Array | undefined {
  if (version === 5 && (revision === 5 || revision === 6)) return openWithSha(encrypt, revision);
  if (![1, 2, 4].includes(version) || ![2, 3, 4].includes(revision)) {
    throw new NotUnderstood(`encryption of version ${version}, revision ${revision}`);
  }
  for (const length of keyLengths(encrypt, version)) {
    const key = openWithMd5(encrypt, revision, firstId, length);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** Possible key lengths in bytes, the likeliest first. Writers state different ones; the password check decides. */
function keyLengths(encrypt: Dict, version: number): number[] {
  const said = encrypt.number('Length') ?? 40;
  // The length should be in bits, but some writers state bytes.
  const given = Math.min(16, Math.max(5, Math.floor(said >= 40 ? said / 8 : said)));
  if (version === 1) return [...new Set([5, given])];
  return version === 4 ? [...new Set([16, given])] : [given];
}

/** The method of a crypt filter in the dictionary. */
function readMethod(encrypt: Dict, name: string): Method {
  if (name === 'Identity') return 'identity';
  const method = encrypt.dict('CF')?.dict(name)?.name('CFM');
  if (method === 'V2') return 'rc4';
  if (method === 'AESV2') return 'aes';
  if (method === 'AESV3') return 'aes-of-file';
  throw new NotUnderstood(`crypt filter ${method ?? name}`);
}

function decrypt(
  method: Method,
  fileKey: Uint8Array,
  num: number,
  gen: number,
  bytes: Uint8Array,
): Uint8Array {
  if (method === 'identity' || bytes.length === 0) return bytes;
  if (method === 'aes-of-file') return decryptAes('aes-256-cbc', paddedTo(32, fileKey), bytes);
  const hash = createHash('md5').update(fileKey);
  hash.update(Uint8Array.of(num, num >> 8, num >> 16, gen, gen >> 8));
  if (method === 'aes') hash.update('sAlT');
  const key = hash.digest().subarray(0, Math.min(16, fileKey.length + 5));
  return method === 'rc4' ? rc4(key, bytes) : decryptAes('aes-128-cbc', paddedTo(16, key), bytes);
}

/** A file may name a cipher that does not fit the length of its key. */
function paddedTo(length: number, key: Uint8Array): Uint8Array {
  if (key.length === length) return key;
  const padded = new Uint8Array(length);
  padded.set(key.subarray(0, length));
  return padded;
}

/** AES in CBC mode, with the initialisation vector first. A truncated last block is dropped. */
function decryptAes(algorithm: string, key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const end = bytes.length - (bytes.length % 16);
  if (end <= 16) return new Uint8Array(0);
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, 16));
  // The padding of a damaged stream is wrong, but the data before it is still needed.
  decipher.setAutoPadding(false);
  const plain = decipher.update(bytes.subarray(16, end));
  const pad = plain.at(-1) ?? 0;
  return pad >= 1 && pad <= 16 ? plain.subarray(0, plain.length - pad) : plain;
}

/** The padding that represents an empty password (ISO 32000-1, algorithm 2, step a). */
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

/** A string in the dictionary, of at least `length` bytes. */
function bytesOf(encrypt: Dict, key: string, length: number): Buffer {
  const bytes = Buffer.from(encrypt.string(key) ?? '', 'latin1');
  if (bytes.length < length) throw new NotUnderstood(`/${key} of the encryption is too short`);
  return bytes.subarray(0, length);
}

/** The key from the empty user password, for revisions 2 to 4; undefined when the password is wrong. */
function openWithMd5(
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
    // The first 16 bytes as a number modulo 3. Because 256 is 1 modulo 3, the sum of the bytes is enough.
    const sum = mixed.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    const algorithm = ['sha256', 'sha384', 'sha512'][sum % 3] ?? 'sha256';
    hash = createHash(algorithm).update(mixed).digest();
    last = mixed.at(-1) ?? 0;
  }
  return hash.subarray(0, 32);
}

/** As openWithMd5, for revisions 5 and 6: the password unlocks a key that is stored in the file. */
function openWithSha(encrypt: Dict, revision: number): Uint8Array | undefined {
  const user = bytesOf(encrypt, 'U', 48);
  const locked = bytesOf(encrypt, 'UE', 32);
  const hash = (salt: Uint8Array) =>
    revision === 5 ? createHash('sha256').update(salt).digest() : hardenedHash(salt);
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return undefined;
  const decipher = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), zeroes);
  decipher.setAutoPadding(false);
  return decipher.update(locked);
}

/** RC4, which OpenSSL no longer offers. Encrypts or decrypts `data` with `key` (at least one byte). */
function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let i = 0, j = 0; i < 256; i++) {
    const held = state[i] ?? 0;
    j = (j + held + (key[i % key.length] ?? 0)) & 255;
    state[i] = state[j] ?? 0;
    state[j] = held;
  }
  const out = new Uint8Array(data.length);
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 255;
    const held = state[i] ?? 0;
    j = (j + held) & 255;
    const other = state[j] ?? 0;
    state[i] = other;
    state[j] = held;
    out[at] = (data[at] ?? 0) ^ (state[(held + other) & 255] ?? 0);
  }
  return out;
}
