import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, rm, stat } from 'node:fs/promises';
import { AppError, messageOf } from '../errors.js';
import type { Logger } from '../log.js';
import { newSecret } from '../random-secret.js';
import type { Config } from './schema.js';

/**
 * Encrypts what the database must give back in clear (AES-256-GCM), so that a copy of the database alone tells none of
 * it. `purpose` says what a secret is and whose: moved to another row, it can't be decrypted. Await neither inside a
 * transaction: the key may have to be read from the disk.
 */
export interface SecretBox {
  /**
   * Refuses with `invalid_config` where the key can't be read, or is lost while something is stored that it encrypted.
   */
  seal(text: string, purpose: string): Promise<string>;
  /**
   * Undefined for what another key has encrypted, or what is for another purpose. Refuses with `invalid_config` where the
   * key is not there, or can't be read.
   */
  open(sealed: string, purpose: string): Promise<string | undefined>;
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * By the key of auth.secrets_key, else by one in a file beside the database. It is made when it is first needed to
 * encrypt, unless `isInUse` says that something encrypted is stored: the key of that was lost then.
 */
export function createSecretBox(
  config: Pick<Config, 'auth' | 'database'>,
  { isInUse, log }: { isInUse: () => Promise<boolean>; log: Pick<Logger, 'warn'> },
): SecretBox {
  let loading: Promise<Buffer> | undefined;
  const keyOfFile = async (mayMake: boolean) => {
    const path = keyFileOf(config);
    if (!existsSync(path) && (!mayMake || (await isInUse()))) {
      const sentence = `The key for secrets, ${path}, is not there. Put it back, or set auth.secrets_key.`;
      throw new AppError('invalid_config', sentence);
    }
    const key = await readOrMake(path);
    if (isOpenToOthers(await stat(path))) {
      log.warn(`others can read the key for secrets; keep it to its owner: chmod 600 ${path}`);
    }
    return key;
  };
  const key = async ({ mayMake }: { mayMake: boolean }) => {
    const { secrets_key: given } = config.auth;
    loading ??= given === null ? keyOfFile(mayMake) : keyOf(given);
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return {
    async seal(text, purpose) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, await key({ mayMake: true }), iv).setAAD(
        Buffer.from(purpose),
      );
      const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([iv, sealing.getAuthTag(), body]).toString('base64url');
    },
    async open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < ivBytes + tagBytes) return undefined;
      const secretKey = await key({ mayMake: false });
      const opening = createDecipheriv(cipher, secretKey, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      opening.setAAD(Buffer.from(purpose));
      opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        const body = opening.update(bytes.subarray(ivBytes + tagBytes));
        return Buffer.concat([body, opening.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

function keyOf(text: string): Promise<Buffer> {
  return Promise.resolve(createHash('sha256').update(text).digest());
}

function keyFileOf({ database }: Pick<Config, 'database'>): string {
  return `${database.path}.key`;
}

async function readOrMake(path: string): Promise<Buffer> {
  try {
    const present = existsSync(path) ? await readFile(path, 'utf8') : undefined;
    // Where two processes begin at once, one of them makes the file, and both read it.
    if (present === undefined) await writeNew(path, `${newSecret()}\n`);
    const text = (present ?? (await readFile(path, 'utf8'))).trim();
    if (text.length >= 32) return await keyOf(text);
  } catch (error) {
    const sentence = `The key for secrets, ${path}, can't be read or made (${messageOf(error)}). Mend its rights, or set auth.secrets_key.`;
    throw new AppError('invalid_config', sentence, { cause: error });
  }
  const sentence = `The key for secrets, ${path}, is not whole. Put the right file there, or set auth.secrets_key.`;
  throw new AppError('invalid_config', sentence);
}

/** Linked to its name when it is whole, so that no other process reads a part of it. */
async function writeNew(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.write(text);
    await file.sync();
    await link(draft, path);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}

/** Whether users other than its owner may do anything with a file, as its mode says. */
export function isOpenToOthers({ mode }: { mode: number }): boolean {
  // What Windows shows in its place says nothing of who may read.
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}
