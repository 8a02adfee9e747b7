import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, rm, stat } from 'node:fs/promises';
import { AppError, messageOf } from '../errors.js';
import { giveToOwner } from '../give-to-owner.js';
import type { Logger } from '../log.js';
import { newSecret } from '../random-secret.js';
import type { Config } from './schema.js';

/**
 * Encrypts secrets that the database must return in clear text (AES-256-GCM), so that a copy of the database alone
 * reveals none. `purpose` names the kind of secret and its owner: a secret moved to another row can't be decrypted. Do
 * not await these methods inside a transaction: they may read the key from disk.
 */
export interface SecretBox {
  /** Errors: `invalid_config` when the key can't be read, or is lost although stored secrets need it. */
  seal(text: string, purpose: string): Promise<string>;
  /**
   * Undefined for text that was encrypted with another key or for another purpose. Errors: `invalid_config` when the
   * key is missing or can't be read.
   */
  open(sealed: string, purpose: string): Promise<string | undefined>;
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Uses the key of auth.secrets_key, else a key file beside the database. The key file is created at the first
 * encryption, unless `isInUse` reports stored secrets: then their key was lost.
 */
export function createSecretBox(
  config: Pick<Config, 'auth' | 'database'>,
  { isInUse, log }: { isInUse: () => Promise<boolean>; log: Pick<Logger, 'warn'> },
): SecretBox {
  let loading: Promise<Buffer> | undefined;
  const keyOfFile = async (mayMake: boolean) => {
    const path = keyFileOf(config);
    if (!existsSync(path) && (!mayMake || (await isInUse()))) {
      const sentence = `The key for secrets, ${path}, is missing. Put it back, or set auth.secrets_key.`;
      throw new AppError('invalid_config', sentence);
    }
    const key = await readOrMake(config.database.path, path);
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

async function readOrMake(database: string, path: string): Promise<Buffer> {
  try {
    const present = existsSync(path) ? await readFile(path, 'utf8') : undefined;
    // When two processes start at once, one creates the file and both read it.
    if (present === undefined) await writeNew(database, path, `${newSecret()}\n`);
    const text = (present ?? (await readFile(path, 'utf8'))).trim();
    if (text.length >= 32) return await keyOf(text);
  } catch (error) {
    const sentence = `The key for secrets, ${path}, can't be read or created (${messageOf(error)}). Correct its permissions, or set auth.secrets_key.`;
    throw new AppError('invalid_config', sentence, { cause: error });
  }
  const sentence = `The key for secrets, ${path}, is incomplete. Put the right file there, or set auth.secrets_key.`;
  throw new AppError('invalid_config', sentence);
}

/** Linked to its final name only when complete, so that no other process reads a partial file. */
async function writeNew(database: string, path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.write(text);
    await file.sync();
    await giveToOwner(database, draft);
    await link(draft, path);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}

/** True when the file's mode lets other users read or change it. */
export function isOpenToOthers({ mode }: { mode: number }): boolean {
  // The mode on Windows does not show who may read a file.
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}
