import { recordChange } from '../audit/record-change.js';
import { findUser } from '../accounts/users/accounts.repository.js';
import { describeEndUser } from '../federation/describe-end-user.js';
import { createEntry } from '../knowledge/create-entry.js';
import { chooseLanguage } from '../answers/choose-language.js';
import { findLanguageOf } from '../conversations/store/messages.repository.js';
import { findEntriesById } from '../knowledge/entries.repository.js';
import { updateEntry } from '../knowledge/update-entry.js';
import { notify } from '../notifications/notify.js';
import { nameOf, requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError, refusedField, type Reason } from '../platform/errors.js';
import type { Language } from '../language/language-pack.js';
import { shorten } from '../platform/text/shorten.js';
import { findSite } from '../tenancy/find-site.js';
import { getRequest, isSeenByUsers, type ShownRequest } from './read-requests.js';
import type { RequestStatus } from './request.js';
import { changeRequest, type RequestChange } from './requests.repository.js';
import { presentRequest } from './requests.schema.js';

export interface RequestUpdate {
  status?: RequestStatus | undefined;
  /** The answer. Until the request is resolved, it is a draft that only staff see. */
  response?: string | undefined;
  /** True to publish the answer as an entry too. */
  publish?: boolean | undefined;
  /** For that entry: domain (default: the request's page's), pattern, title (default: the question) and tier. */
  domain?: string | undefined;
  urlPattern?: string | undefined;
  title?: string | undefined;
  visibility?: Visibility | undefined;
}

/**
 * Changes a request. Resolving it stores the answer, the published entry if requested, and the notification, all or
 * nothing; the outbox sends afterwards. Repeating the same resolution changes nothing and notifies nobody. Another
 * answer to a resolved request is a new resolution. It also becomes the entry's text if `publish` is true, or if the
 * entry still has the old answer as its text. Reopening a request clears
 * who resolved it. Errors: `not_found`; `unprocessable` for a resolution without an answer or a publication without a
 * place; `conflict` for the dismissal of a resolved request.
 */
export async function updateRequest(
  app: App,
  actor: Actor,
  id: number,
  input: RequestUpdate,
): Promise<ShownRequest> {
  requirePermission(actor, 'requests.resolve');
  const updated = await inTransaction(app, async (app) => {
    const before = await getRequest(app, actor, id);
    const change = await changeOf(app, actor, before, input);
    if (Object.keys(change).length === 0) return before;
    await changeRequest(app, id, change);
    const after = await getRequest(app, actor, id);
    if (after.resolutions > before.resolutions) await tell(app, after);
    await recordChange(app, actor, {
      organizationId: after.organizationId,
      action: after.resolutions > before.resolutions ? 'request.resolve' : 'request.update',
      subject: `request:${id}`,
      before: recorded(before),
      after: recorded(after),
    });
    return after;
  });
  app.jobs.wake();
  return updated;
}

/** Without the reply address, because the audit log is kept for long. */
function recorded(request: ShownRequest) {
  const { requester_email: _, ...kept } = presentRequest(request);
  return kept;
}

async function changeOf(
  app: App,
  actor: Actor,
  request: ShownRequest,
  input: RequestUpdate,
): Promise<RequestChange> {
  const status = input.status ?? request.status;
  const response = input.response?.trim() ?? request.response ?? '';
  if (status !== 'resolved') {
    refuseWithoutPublication(input);
    if (request.status === 'resolved' && status === 'dismissed') {
      throw new AppError(
        'conflict',
        'The request has been resolved: reopen it before you dismiss it.',
        { reason: { is: 'request_resolved' } },
      );
    }
    const hasNewText = input.response !== undefined && response !== (request.response ?? '');
    return {
      ...(status === request.status ? {} : { status }),
      ...(request.status === 'resolved' ? { resolvedBy: null, resolvedAt: null } : {}),
      ...(hasNewText ? { response: response === '' ? null : response } : {}),
    };
  }
  if (response === '')
    throw refused('response', 'a resolved request needs an answer', { is: 'empty' });
  if (input.publish !== true) refuseWithoutPublication(input);
  const isRepeated = request.status === 'resolved' && response === request.response;
  const isPublished = request.knowledgeEntryId !== null;
  const isToPublish = input.publish === true || (isPublished && (await saysAnswer(app, request)));
  const entry =
    isToPublish && !(isRepeated && isPublished)
      ? await publish(app, actor, request, response, input)
      : undefined;
  return {
    ...(isRepeated
      ? {}
      : {
          status,
          response,
          resolvedBy: nameOf(actor),
          resolvedAt: timestamp(app.clock),
          resolutions: request.resolutions + 1,
        }),
    ...(entry === undefined ? {} : { knowledgeEntryId: entry.id }),
  };
}

/** Whether the published entry of a request still has the answer as its text. */
export async function saysAnswer(app: App, request: ShownRequest): Promise<boolean> {
  if (request.knowledgeEntryId === null) return false;
  const [entry] = await findEntriesById(app, [request.knowledgeEntryId]);
  return entry?.status === 'published' && entry.content === request.response;
}

/** The most characters of a question in a title. */
const titleLength = 200;

async function publish(
  app: App,
  actor: Actor,
  request: ShownRequest,
  content: string,
  input: RequestUpdate,
) {
  const { urlPattern, visibility } = input;
  const status = 'published' as const;
  if (request.entryUuid !== null) {
    // The earlier published entry must not keep an outdated answer.
    const { title, domain } = input;
    const change = { title, content, domain, urlPattern, visibility, status };
    return updateEntry(app, actor, request.entryUuid, change);
  }
  const domain = input.domain ?? (await domainOf(app, request));
  const title = input.title ?? shorten(request.question, titleLength);
  return createEntry(app, actor, { title, content, domain, urlPattern, visibility, status });
}

/** The host of the question's page, if the organization has registered it. */
async function domainOf(app: App, request: ShownRequest): Promise<string> {
  const site = request.url === null ? undefined : await findSite(app, request.url);
  if (site?.app?.organizationId === request.organizationId) return site.host;
  throw refused(
    'domain',
    'missing; the page of the request does not tell where the entry belongs',
    { is: 'missing' },
  );
}

/** Notifies the asker exactly once of this resolution: the key is unique in the database. */
async function tell(app: App, request: ShownRequest): Promise<void> {
  const { organizationId, requesterUserId: userId, response, resolvedAt } = request;
  const [entry] =
    request.knowledgeEntryId === null ? [] : await findEntriesById(app, [request.knowledgeEntryId]);
  await notify(app, {
    organizationId,
    appId: request.appId,
    conversationId: request.conversationId,
    recipient: {
      userId,
      endUserId: request.requesterEndUserId,
      visitorId: request.requesterVisitorId,
    },
    email: await emailOf(app, request),
    dedupeKey: `request:${request.id}:resolution:${request.resolutions}`,
    kind: 'request_resolved',
    request: {
      requestId: request.id,
      question: request.question,
      response: response ?? '',
      url: request.url,
      entryId: entry !== undefined && isSeenByUsers(entry) ? entry.uuid : null,
      language: await languageOf(app, request),
      resolvedAt: resolvedAt ?? request.updatedAt,
    },
  });
}

/** The language of the answer in the question's conversation, which was chosen with more context. */
async function languageOf(app: App, request: ShownRequest): Promise<Language> {
  const { conversationId, question: content } = request;
  const answered =
    conversationId === null ? undefined : await findLanguageOf(app, { conversationId, content });
  return answered ?? chooseLanguage(content);
}

/** The asker's address; a disabled account gets no mail. */
async function emailOf(app: App, request: ShownRequest): Promise<string | null> {
  const { organizationId, requesterUserId, requesterEndUserId, requesterEmail } = request;
  const user = requesterUserId === null ? undefined : await findUser(app, requesterUserId);
  if (user !== undefined) return user.disabled ? null : user.email;
  const endUser =
    requesterEndUserId === null
      ? undefined
      : await describeEndUser(app, organizationId, requesterEndUserId);
  if (endUser?.disabled === true) return null;
  return requesterEmail ?? endUser?.email ?? null;
}

function refuseWithoutPublication(input: RequestUpdate): void {
  const fields = ['publish', 'domain', 'urlPattern', 'title', 'visibility'] as const;
  const given = fields.find((field) => input[field] !== undefined && input[field] !== false);
  if (given === undefined) return;
  const path = given === 'urlPattern' ? 'url_pattern' : given;
  throw refused(path, 'only goes with publish: true and the status resolved', {
    is: 'only_published',
  });
}

function refused(path: string, message: string, reason: Reason): AppError {
  return refusedField(path, message, 'unprocessable', reason);
}
