/**
 * Every refusal the product can give, by its stable code: what HTTP answers and what a process exits with.
 * Exit codes: 1 failed, 2 usage, 3 not found, 4 refused or in conflict.
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
  no_space: { status: 507, exit: 4 },
  damaged_backup: { status: 422, exit: 4 },
  port_in_use: { status: 503, exit: 4 },
  model_unavailable: { status: 503, exit: 1 },
  widget_not_built: { status: 503, exit: 1 },
  extension_not_built: { status: 503, exit: 1 },
  server_unreachable: { status: 502, exit: 1 },
  shutting_down: { status: 503, exit: 1 },
  // What can be wrong with a PDF (decisions of ingestion): refused at upload, or the end of a batch.
  not_a_pdf: { status: 415, exit: 4 },
  encrypted: { status: 422, exit: 4 },
  damaged: { status: 422, exit: 4 },
  no_extractable_text: { status: 422, exit: 4 },
  too_many_pages: { status: 422, exit: 4 },
  timeout: { status: 422, exit: 1 },
  out_of_memory: { status: 422, exit: 1 },
} as const satisfies Record<string, { status: number; exit: number }>;

export type ErrorCode = keyof typeof errorCodes;

/** One thing that is wrong with an input: `path` names the field as the caller wrote it, e.g. `context.url`. */
export interface FieldProblem {
  path: string;
  message: string;
}

export interface AppErrorOptions {
  /** The fields at fault, when the input is. */
  problems?: FieldProblem[];
  /** The page of a PDF, from 1, when the error lies there. */
  page?: number;
  /** How long to wait before trying again, where waiting helps; HTTP says it as Retry-After. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/**
 * A refusal that the reader can act on: `message` is a sentence that says what to do next.
 * Anything thrown that is no AppError is a bug, and is shown as `internal`.
 */
export class AppError extends Error {
  readonly problems: FieldProblem[] | undefined;
  readonly page: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'AppError';
    this.problems = options.problems;
    this.page = options.page;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The refusal of an input for one of its fields; `message` says what is wrong with it, after the field's name. */
export function refusedField(
  path: string,
  message: string,
  code: ErrorCode = 'invalid_request',
): AppError {
  return new AppError(code, `${path}: ${message}`, { problems: [{ path, message }] });
}

/** The code of an AppError, `internal` for anything else. */
export function codeOf(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : 'internal';
}

/** The sentence of any thrown value. For logs and the operator; what a client sees of a bug says less. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether an error is for the client to know. What is none is a bug, or a fault of the server: for its log alone. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && errorCodes[error.code].status !== 500;
}

/**
 * The refusal of whatever is too much at the moment: every 429 but that of a quota. `what` says of what there is too
 * much, and how much is allowed.
 */
export function tooMany(what: string, retryAfterSeconds = 1): AppError {
  const sentence = `Too many ${what}. Try again in ${retryAfterSeconds} s.`;
  return new AppError('rate_limited', sentence, { retryAfterSeconds });
}

/** The refusal of new work while the service ends. */
export function shuttingDown(): AppError {
  const sentence = 'The service is shutting down: ask again in a moment.';
  return new AppError('shutting_down', sentence, { retryAfterSeconds: 1 });
}

/** What is told of an error that is no refusal. */
export function internalError(): AppError {
  return new AppError(
    'internal',
    'Something went wrong here. The log of the server has the reason.',
  );
}
