import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import type { Config } from './config/schema.js';
import { AppError, messageOf } from './errors.js';

/**
 * Encrypts what the database must give back in clear (AES-256-GCM), so that a copy of the database alone tells none of
 * it. `purpose` says what a secret is and whose: moved to another row, it can't be decrypted. Await neither inside a
 * transaction: the key may have to be read from the disk.
 */
export interface SecretBox {
  seal(text: string, purpose: string): Promise<string>;
  /** Undefined for what another key has encrypted, or what is for another purpose. */
  open(sealed: string, purpose: string): Promise<string | undefined>;
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** By the key of auth.secrets_key, else by one in a file beside the database, which is made when it is first needed. */
export function createSecretBox(config: Pick<Config, 'auth' | 'database'>): SecretBox {
  let loading: Promise<Buffer> | undefined;
  const key = async () => {
    const { secrets_key: given } = config.auth;
    loading ??= given === null ? keyOfFile(`${config.database.path}.key`) : keyOf(given);
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
      const sealing = createCipheriv(cipher, await key(), iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([iv, sealing.getAuthTag(), body]).toString('base64url');
    },
    async open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < ivBytes + tagBytes) return undefined;
      const opening = createDecipheriv(cipher, await key(), bytes.subarray(0, ivBytes), {
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

async function keyOfFile(path: string): Promise<Buffer> {
  try {
    const present = await readFile(path, 'utf8').catch(() => undefined);
    // Where two processes begin at once, one of them makes the file, and both read it.
    if (present === undefined) await writeNew(path, `${randomBytes(32).toString('base64url')}\n`);
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
