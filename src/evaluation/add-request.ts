import { findUserOf } from '../accounts/users/accounts.repository.js';
import { ownTiers, requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { detectLanguage } from '../language/detect-language.js';
import { getRequest, listRequests, type ShownRequest } from '../requests/read-requests.js';
import type { EvalQuestion } from './eval-question.js';

export interface AddedRequest {
  requestId: number;
  question: string;
  /** The line to append, without a line end; undefined when the set already contains the question. */
  line: string | undefined;
}

/**
 * A resolved request as a line of a set: its question, asked on its page with its asker's rights, must find the entry
 * of its published answer. Errors: `not_found` for a request that the actor may not read; `unprocessable` for one that
 * is not resolved or has no published entry.
 */
export async function addRequest(
  app: App,
  actor: Actor,
  requestId: number,
  present: readonly EvalQuestion[],
): Promise<AddedRequest> {
  requirePermission(actor, 'requests.resolve');
  const request = await getRequest(app, actor, requestId);
  if (request.status !== 'resolved') {
    throw refused(request, `is ${request.status}. Answer it first: assistant requests resolve`);
  }
  if (request.entryUuid === null) {
    const sentence =
      'has no entry that a search could find. Resolve it with --publish, or write the line by hand';
    throw refused(request, sentence);
  }
  const { question, url } = request;
  const isThere = present.some(
    (one) => one.question === question && one.url === (url ?? undefined),
  );
  const tier = await tierOf(app, request);
  const line = isThere ? undefined : JSON.stringify(lineOf(request, request.entryUuid, tier));
  return { requestId, question, line };
}

/** The numbers of all requests that can become lines of a set, in order of filing. */
export async function listAnswered(app: App, actor: Actor): Promise<number[]> {
  requirePermission(actor, 'requests.resolve');
  const ids: number[] = [];
  for (let page = 1; ; page++) {
    const filter = { status: 'resolved' as const, page, limit: 100 };
    const { items } = await listRequests(app, actor, filter);
    ids.push(...items.filter(({ entryUuid }) => entryUuid !== null).map(({ id }) => id));
    if (items.length < filter.limit) return ids.toReversed();
  }
}

function lineOf(
  { question, url }: ShownRequest,
  entryUuid: string,
  tier: Visibility | undefined,
): Record<string, unknown> {
  return {
    question,
    expected_entry: entryUuid,
    language: detectLanguage(question),
    ...(url === null ? {} : { url }),
    ...(tier === undefined ? {} : { tier }),
  };
}

/** The asker's highest tier, a user's by the present role; undefined for operators, who see all. */
async function tierOf(app: App, request: ShownRequest): Promise<Visibility | undefined> {
  const { organizationId, requesterUserId: userId, requester } = request;
  if (requester?.kind === 'visitor') return 'public';
  if (requester?.kind === 'end_user') return 'authenticated';
  if (userId === null) return undefined;
  const user = await findUserOf(app, organizationId, userId);
  // A deleted user counts as a user with the fewest rights.
  const role = user?.role ?? 'user';
  return ownTiers({ kind: 'user', organizationId, userId, role }).at(-1);
}

function refused({ id }: ShownRequest, what: string): AppError {
  return new AppError('unprocessable', `Request ${id} ${what}.`);
}
