import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { recoveryHashOf, stepOf } from './codes.js';
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

/** Uses up a code, in a transaction. Refuses with `second_factor_required` a missing, wrong or already used code. */
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
