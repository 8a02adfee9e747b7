import { findUserOf } from '../accounts/users/accounts.repository.js';
import { getPreferences } from '../accounts/users/preferences.js';
import { notify } from '../notifications/notify.js';
import { fillMail } from '../notifications/send-mail.js';
import { may } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { failures } from './site/site-page.js';
import type { RunDocument, Source, SourceRun } from './source.js';

/** The most lines of each kind in a mail. */
const mostLines = 20;

/**
 * Mails the report of a run to the person whom the source names, if it brought anything that the run before it did not.
 * Runs in the transaction that stores the run. Wake the jobs after it.
 */
export async function mailReport(
  app: App,
  source: Source,
  run: SourceRun,
  before: SourceRun | undefined,
): Promise<void> {
  const { organizationId, reportTo: userId } = source;
  if (userId === null || app.config.mail.host === '' || !isNews(run, before)) return;
  const user = await findUserOf(app, organizationId, userId);
  if (user === undefined || user.disabled) return;
  if (!may({ kind: 'user', organizationId, userId, role: user.role }, 'knowledge.write')) return;
  const language = (await getPreferences(app, userId)).language ?? 'en';
  const name = run.status === 'failed' ? 'source-failed' : 'source-run';
  const { subject, text } = fillMail(name, language, valuesOf(app, source, run));
  await notify(app, {
    organizationId,
    appId: null,
    conversationId: null,
    email: user.email,
    recipient: { userId, endUserId: null, visitorId: null },
    dedupeKey: `source_run:${run.id}`,
    kind: 'source_run',
    request: {
      requestId: null,
      entryId: null,
      url: null,
      language,
      question: subject,
      response: text.replaceAll(/\n{3,}/g, '\n\n').trim(),
      resolvedAt: run.endedAt ?? run.createdAt,
    },
  });
}

/** What goes on failing or stays gone is told once. */
function isNews({ status, counts, errorCode }: SourceRun, before: SourceRun | undefined): boolean {
  if (status === 'failed') return errorCode !== 'interrupted' && errorCode !== before?.errorCode;
  const { new: fresh, changed, moved, published, removed, gone, failed } = counts;
  if (fresh + changed + moved + published + removed > 0) return true;
  return (['gone', 'failed'] as const).some((one) => {
    const now = one === 'gone' ? gone : failed;
    return now > (before?.counts[one] ?? 0);
  });
}

function valuesOf(app: App, source: Source, run: SourceRun): Record<string, string> {
  const { public_url: base } = app.config.server;
  const link = (path: string) => (base === null ? '' : `${base}/backoffice/${path}`);
  const { documents, leftOut } = run.report;
  const listOf = (status: RunDocument['status']) =>
    listed(
      documents
        .filter((one) => one.status === status)
        .map(({ address, batchId }) => [address, link(`documents/${batchId}`)]),
    );
  const failed = leftOut
    .filter(({ reason }) => failures.includes(reason))
    .map(({ address, detail = '' }) => [address, detail]);
  return {
    ...Object.fromEntries(Object.entries(run.counts).map(([name, count]) => [name, `${count}`])),
    source: source.name,
    place: source.place,
    error: run.errorMessage ?? '',
    url: link(`sources/runs/${run.id}`),
    new_list: listOf('new'),
    changed_list: listOf('changed'),
    moved_list: listOf('moved'),
    gone_list: listOf('gone'),
    failed_list: listed(failed),
  };
}

/** Lines below a number, each with what belongs to it; empty for none. */
function listed(lines: readonly string[][]): string {
  const shown = lines
    .slice(0, mostLines)
    .map((parts) => `\n- ${parts.filter((part) => part !== '').join('\n  ')}`);
  return [...shown, ...(lines.length > mostLines ? ['\n- …'] : [])].join('');
}
