/** Why a site's token was not taken. Nothing is sent to the service then. */
export const tokenProblems = [
  /** The declaration is gone, or another one than the user has confirmed. */
  'changed',
  'bad_endpoint',
  'cross_origin',
  'redirect',
  /** The site knows nobody by this request: 401 or 403. */
  'signed_out',
  'bad_status',
  'not_json',
  'too_large',
  'bad_json',
  'no_token',
  'timeout',
  'unreachable',
] as const;

export type TokenProblem = (typeof tokenProblems)[number];

export function isTokenProblem(value: unknown): value is TokenProblem {
  return tokenProblems.some((problem) => problem === value);
}
