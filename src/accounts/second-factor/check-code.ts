import { randomInt } from 'node:crypto';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { hashSecret } from '../../platform/random-secret.js';
import {
  findSecondFactor,
  isCodeAsked,
  takeRecoveryCode,
  takeStep,
  type SecondFactor,
} from './second-factors.repository.js';

/** The purpose with which a secret is encrypted. */
export function secretPurpose(userId: number): string {
  return `second_factor:${userId}`;
}

/** A given code, checked as far as possible outside a transaction. */
export interface GivenCode {
  factor: SecondFactor | undefined;
  isGiven: boolean;
  /** The code's time step; undefined when the code is not valid now. */
  step: number | undefined;
  recoveryHash: string | undefined;
}

export async function readCode(
  app: App,
  userId: number,
  code: string | undefined,
): Promise<GivenCode> {
  const factor = await findSecondFactor(app, userId);
  const given = { factor, isGiven: code !== undefined };
  if (factor === undefined || code === undefined) {
    return { ...given, step: undefined, recoveryHash: undefined };
  }
  const secret = await openSecret(app, userId, factor);
  const step = secret === undefined ? undefined : await stepOf(app, secret, code);
  return { ...given, step, recoveryHash: recoveryHashOf(code) };
}

/** Undefined when the key is wrong or can't be read. Recovery codes still work. */
async function openSecret(
  app: App,
  userId: number,
  factor: SecondFactor,
): Promise<string | undefined> {
  try {
    const secret = await app.secrets.open(factor.secret, secretPurpose(userId));
    if (secret !== undefined) return secret;
    const hint = 'reset it with: assistant users reset-two-factor';
    app.log.warn({ user: userId }, `a second factor was encrypted with another key; ${hint}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    app.log.warn({ user: userId }, error.message);
  }
  return undefined;
}

/** Uses up a code, in a transaction. Errors: `second_factor_required` for a missing, wrong or already used code. */
export async function useCode(app: App, userId: number, given: GivenCode): Promise<void> {
  const fault = await takeCode(app, userId, given);
  if (fault !== undefined) throw new AppError('second_factor_required', fault);
}

/** As useCode, but returns the problem as a sentence. */
export async function takeCode(
  app: App,
  userId: number,
  given: GivenCode,
): Promise<string | undefined> {
  if (await isTaken(app, userId, given)) return undefined;
  return given.isGiven
    ? 'The code is not right, or was used before. Wait for the next one.'
    : 'This account needs a code of its authenticator app too, or a recovery code.';
}

/** A recovery code is valid only once the secret is confirmed. */
async function isTaken(
  app: App,
  userId: number,
  { factor, step, recoveryHash }: GivenCode,
): Promise<boolean> {
  if (factor === undefined) return false;
  if (step !== undefined) return takeStep(app, userId, { secret: factor.secret, step });
  if (recoveryHash === undefined || !(await isCodeAsked(app, userId))) return false;
  return takeRecoveryCode(app, userId, recoveryHash);
}

/** The time step of codes, and the tolerated error of an authenticator's clock in each direction, in seconds. */
const period = 30;
const toleranceSeconds = 30;
const recoveryCodes = 10;
/** Letters and digits without look-alikes. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const recoveryLength = 12;

/** A new secret for an authenticator app, in base32: 160 bits, as RFC 4226 recommends. */
export async function newTotpSecret(): Promise<string> {
  const { generateSecret } = await import('otplib');
  return generateSecret({ length: 20 });
}

/** The address that authenticator apps read, usually from a QR code. */
export async function otpauthUri(secret: string, email: string): Promise<string> {
  const { generateURI } = await import('otplib');
  return generateURI({ issuer: 'Assistant', label: email, secret, period });
}

/** The time step of a code; undefined when the code is not valid now. */
async function stepOf(
  { clock }: Pick<App, 'clock'>,
  secret: string,
  code: string,
): Promise<number | undefined> {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const { verify } = await import('otplib');
  const epoch = Math.floor(clock.now().getTime() / 1000);
  const result = await verify({ secret, token, period, epoch, epochTolerance: toleranceSeconds });
  return result.valid ? Math.floor(epoch / period) + result.delta : undefined;
}

/** Recovery codes for a lost authenticator. Each has 59 random bits, so no slow hash is needed. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes }, () => {
    const letters = Array.from(
      { length: recoveryLength },
      () => alphabet[randomInt(alphabet.length)],
    );
    return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-');
  });
}

/** The stored hash of a recovery code, in any spelling; undefined for an invalid code. */
export function recoveryHashOf(code: string): string | undefined {
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== recoveryLength) return undefined;
  return hashSecret(letters);
}
