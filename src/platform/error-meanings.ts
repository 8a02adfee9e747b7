import type { ErrorCode } from './errors.js';

/** The meaning of each error code, for the API description. */
const meanings: Record<ErrorCode, string> = {
  invalid_request:
    'Something in the path, the query, a header or the body is not as described; `errors` names each field.',
  usage: 'The program was called with arguments that it does not take. Never given over HTTP.',
  invalid_config: 'A setting is wrong: the program does not start. Never given over HTTP.',
  unauthenticated:
    'No credential was sent, or it is invalid, expired or revoked. Never taken for an anonymous call.',
  second_factor_required:
    'The password is right. The account needs a code of its authenticator app too, or a recovery code, as `code`.',
  second_factor_missing:
    'The role of the account needs a second factor, and it has none: set one up (POST /api/auth/second-factor), then sign in.',
  password_sign_in_off:
    'The organization has switched off signing in by password. Sign in by one of its identity providers.',
  sign_in_refused:
    'The identity provider knows the person, but the rules of the organization admit no such account; the sentence says why.',
  provider_failed:
    'The identity provider does not answer, or answers something that can’t be accepted. Try again; an admin runs `assistant sso check`.',
  forbidden: 'The credential is valid, but does not have the right to do this.',
  origin_required:
    'A call of the widget names no `Origin`: browsers send it by themselves. Call from a page of the app.',
  origin_not_allowed:
    'The calling page is on no domain that is registered for the app. An admin can register it.',
  not_found:
    'There is no such thing, or it belongs to another organization, or the caller may not see it.',
  method_not_allowed: 'The path exists, the method does not; `Allow` names those that do.',
  request_timeout:
    'The request did not come in time (`server.stall_timeout_ms`, `server.request_timeout_ms`).',
  cancelled: 'The person who asked cancelled the answer before it began.',
  interrupted:
    'The question is no longer being answered: its answer failed, or its server stopped. Ask it again.',
  conflict: 'It conflicts with existing data, for example a name that is taken.',
  already_linked:
    'The account or the identity of the site is linked to another. The holder of that account, or an admin, can end that link.',
  precondition_failed:
    'Somebody has changed it meanwhile: the `If-Match` that was sent is no longer its ETag. Read it again.',
  file_too_large: 'The uploaded file is larger than the limit. The upload was cut off.',
  body_too_large:
    'The JSON body is too large. The limit is 1 MB for texts of staff, 128 KB for questions, and 8 KB for requests without a credential or with a secret.',
  unsupported_media_type:
    'The body is of another content type; JSON bodies need `Content-Type: application/json`.',
  expectation_failed: 'The request has an `Expect` other than 100-continue.',
  headers_too_large: 'The address and the headers of the request are too long.',
  unprocessable:
    'The request is well-formed, but can’t be carried out in the present state; the sentence says why.',
  rate_limited:
    'Too many requests in a minute or at once, or too many invalid bodies. `Retry-After` says in how many seconds to try again.',
  quota_exceeded:
    'The units of this month are used up; `Retry-After` says in how many seconds the next month begins.',
  internal: 'An error of the server. The log has its reason under the `request_id`.',
  database_newer: 'The database was migrated by a newer version of the product.',
  database_outdated: 'The database must be migrated first.',
  database_busy: 'The database is locked by another process. Try again.',
  database_readonly: 'The database can’t be written to.',
  database_damaged: 'The database is damaged: an operator has to restore a backup.',
  no_space: 'The disk of the server has too little free space for it.',
  damaged_backup: 'The file is not a complete backup. Never given over HTTP.',
  port_in_use: 'The port of the server is taken. Never given over HTTP.',
  model_unavailable:
    'The model does not answer, and the configuration wants answers from a model only.',
  widget_not_built: 'The installation is incomplete: the script of the widget was not built.',
  backoffice_not_built: 'The installation is incomplete: the backoffice was not built.',
  extension_not_built: 'The installation is incomplete: the browser extension was not built.',
  server_unreachable:
    'The server that a command names does not answer, or is no assistant server. Never given over HTTP.',
  shutting_down: 'The server is stopping and takes no new work. Try again.',
  not_a_pdf: 'The file is not a PDF by its content.',
  unsupported_kind:
    'The file is of a kind that is not read, or not of the kind that its name promises.',
  encrypted: 'The file needs a password to be read.',
  damaged: 'The file is damaged and can’t be read.',
  no_extractable_text: 'The file contains no text, only images of pages, say.',
  too_many_pages: 'The PDF has more pages than the limit.',
  timeout: 'Reading the file took too long.',
  out_of_memory: 'Reading the file took more memory than it may.',
};

export function meaningOf(code: ErrorCode): string {
  return meanings[code];
}
