/**
 * Every error of the product by its stable code, with its HTTP status and exit code. Exit codes: 1 failed, 2 usage, 3
 * not found, 4 refused or in conflict.
 */
export const errorCodes = {
  invalid_request: { status: 400, exit: 2 },
  usage: { status: 400, exit: 2 },
  invalid_config: { status: 500, exit: 2 },
  unauthenticated: { status: 401, exit: 4 },
  second_factor_required: { status: 401, exit: 4 },
  second_factor_missing: { status: 403, exit: 4 },
  password_sign_in_off: { status: 403, exit: 4 },
  sign_in_refused: { status: 403, exit: 4 },
  provider_failed: { status: 502, exit: 1 },
  forbidden: { status: 403, exit: 4 },
  origin_required: { status: 403, exit: 4 },
  origin_not_allowed: { status: 403, exit: 4 },
  not_found: { status: 404, exit: 3 },
  method_not_allowed: { status: 405, exit: 2 },
  request_timeout: { status: 408, exit: 1 },
  cancelled: { status: 409, exit: 1 },
  interrupted: { status: 409, exit: 1 },
  conflict: { status: 409, exit: 4 },
  already_linked: { status: 409, exit: 4 },
  precondition_failed: { status: 412, exit: 4 },
  file_too_large: { status: 413, exit: 4 },
  body_too_large: { status: 413, exit: 4 },
  unsupported_media_type: { status: 415, exit: 2 },
  expectation_failed: { status: 417, exit: 2 },
  headers_too_large: { status: 431, exit: 2 },
  unprocessable: { status: 422, exit: 4 },
  rate_limited: { status: 429, exit: 4 },
  quota_exceeded: { status: 429, exit: 4 },
  internal: { status: 500, exit: 1 },
  database_newer: { status: 503, exit: 4 },
  database_outdated: { status: 503, exit: 4 },
  database_busy: { status: 503, exit: 1 },
  database_readonly: { status: 503, exit: 4 },
  database_damaged: { status: 503, exit: 4 },
  no_space: { status: 507, exit: 4 },
  damaged_backup: { status: 422, exit: 4 },
  port_in_use: { status: 503, exit: 4 },
  model_unavailable: { status: 503, exit: 1 },
  widget_not_built: { status: 503, exit: 1 },
  backoffice_not_built: { status: 503, exit: 1 },
  extension_not_built: { status: 503, exit: 1 },
  server_unreachable: { status: 502, exit: 1 },
  shutting_down: { status: 503, exit: 1 },
  // Problems of a document: refused at upload, or the end of a batch.
  not_a_pdf: { status: 415, exit: 4 },
  unsupported_kind: { status: 415, exit: 4 },
  encrypted: { status: 422, exit: 4 },
  damaged: { status: 422, exit: 4 },
  no_extractable_text: { status: 422, exit: 4 },
  too_many_pages: { status: 422, exit: 4 },
  timeout: { status: 422, exit: 1 },
  out_of_memory: { status: 422, exit: 1 },
} as const satisfies Record<string, { status: number; exit: number }>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * The stable name of what happened, with its facts. Pages write a sentence from it in the reader's language; the API
 * and the command line show the English one.
 */
export type Reason = Readonly<{ is: string } & Record<string, string | number>>;

/** One problem of an input. `path` names the field as the caller wrote it, e.g. `context.url`. */
export interface FieldProblem {
  path: string;
  message: string;
  reason?: Reason | undefined;
  /** The line in the file, from 1. */
  line?: number;
  column?: number;
}

export interface AppErrorOptions {
  reason?: Reason | undefined;
  /** The invalid fields, when the input is invalid. */
  problems?: FieldProblem[];
  /** The page of a PDF, from 1, when the error concerns one page. */
  page?: number;
  /** How long to wait before another attempt, when waiting helps. HTTP sends it as Retry-After. */
  retryAfterSeconds?: number;
  /** The command's exit code, if it differs from the code's usual one. */
  exit?: number;
  cause?: unknown;
}

/**
 * An error that the reader can act on: `message` is a sentence that says what to do next. Any other thrown value is a
 * bug and is shown as `internal`.
 */
export class AppError extends Error {
  readonly reason: Reason | undefined;
  readonly problems: FieldProblem[] | undefined;
  readonly page: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly exit: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'AppError';
    this.reason = options.reason;
    this.problems = options.problems;
    this.page = options.page;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.exit = options.exit;
  }
}

/** The error for one invalid field. `message` follows the field's name and states the problem. */
export function refusedField(
  path: string,
  message: string,
  code: ErrorCode = 'invalid_request',
  reason?: Reason,
): AppError {
  return new AppError(code, `${path}: ${message}`, { problems: [{ path, message, reason }] });
}

/** The invalid fields of an error as the API, the widget and the command line show them: without the pages' reasons. */
export function problemsOf({ problems }: AppError): { errors?: FieldProblem[] } {
  if (problems === undefined) return {};
  return { errors: problems.map(({ reason: _, ...problem }) => problem) };
}

export function codeOf(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : 'internal';
}

/** The message of any thrown value, for logs and the operator. A client sees less of a bug. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True when the client may see the error. All other errors are bugs or server faults, and only the log names them. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && errorCodes[error.code].status !== 500;
}

/**
 * The error for too many requests of any kind, with status 429; only a quota has its own. `what` names the thing, and
 * how much is allowed.
 */
export function tooMany(what: string, retryAfterSeconds = 1): AppError {
  const sentence = `Too many ${what}. Try again in ${retryAfterSeconds} s.`;
  return new AppError('rate_limited', sentence, {
    retryAfterSeconds,
    reason: { is: 'too_many', seconds: retryAfterSeconds },
  });
}

/** Refuses new work while the service stops. */
export function shuttingDown(): AppError {
  const sentence = 'The service is shutting down: ask again in a moment.';
  return new AppError('shutting_down', sentence, { retryAfterSeconds: 1 });
}

/** The error that clients see in place of a bug. */
export function internalError(): AppError {
  return new AppError('internal', 'Something went wrong on the server. Its log has the reason.');
}
