import { AppError, messageOf } from '../../platform/errors.js';
import { passwordNeeded } from './syntax/security.js';

const advice =
  'The PDF is damaged or was cut off while it was copied. Save or download it again and upload the whole file.';

/** The error of a file that ends too early, whichever reader tries. */
export function cutOff(): AppError {
  return new AppError('damaged', advice);
}

/** Converts an error of a reader to an AppError that the uploader can act on. */
export function explainFailure(error: unknown, page?: number): AppError {
  if (error instanceof AppError && (page === undefined || error.page !== undefined)) return error;
  const options = { cause: error, ...(page === undefined ? {} : { page }) };
  if (error instanceof AppError) return new AppError(error.code, error.message, options);
  if (error instanceof Error && error.name === 'PasswordException') return passwordNeeded(error);
  if (
    error instanceof RangeError &&
    /array buffer|allocation|maximum size|invalid \w+ length/i.test(error.message)
  ) {
    return new AppError(
      'out_of_memory',
      'The PDF needs more memory than one thread may use.',
      options,
    );
  }
  const where = page === undefined ? '' : ` (page ${page}: ${messageOf(error)})`;
  return new AppError('damaged', advice + where, options);
}
