import type Router from '@koa/router';
import type { Context } from 'koa';
import type { App } from '../platform/app.js';
import { noteRoute } from '../platform/http/request-facts.js';
import type { WriteRefusal } from '../platform/http/problems.js';
import type { RequestLimits } from '../platform/http/request-limits.js';
import { accountPage } from './account/account.page.js';
import { secondFactorPage } from './account/second-factor.page.js';
import { openAssets } from './assets.js';
import { batchFilePages } from './documents/batch-file.page.js';
import { batchPage } from './documents/batch.page.js';
import { documentPages } from './documents/documents.page.js';
import { replacePage } from './documents/replace.page.js';
import { reviewPage } from './documents/review.page.js';
import type { Page } from './page.js';
import { changesPages } from './changes/changes.page.js';
import { conversationPage } from './conversations/conversation.page.js';
import { conversationsPage } from './conversations/conversations.page.js';
import { changeEntriesPage } from './knowledge/change-entries.page.js';
import { insightsPages } from './insights/insights.page.js';
import { entriesPage } from './knowledge/entries.page.js';
import { entryAnswersPage } from './knowledge/entry-answers.page.js';
import { entryPage, newEntryPage } from './knowledge/entry.page.js';
import { trialPage } from './trial/trial.page.js';
import { peoplePages } from './people/people.page.js';
import { personDataPage } from './people/person-data.page.js';
import { personPage } from './people/person.page.js';
import { questionPage } from './questions/question.page.js';
import { questionsPage } from './questions/questions.page.js';
import { topicPages } from './questions/topics.page.js';
import { searchPage } from './search/search.page.js';
import { servePage, writeFaultPage } from './serve-page.js';
import { signInLinkPage } from './session/sign-in-link.page.js';
import { signInPages } from './session/sign-in.page.js';
import { appPage } from './sites/app.page.js';
import { keyPage } from './sites/key.page.js';
import { newKeyPage } from './sites/new-key.page.js';
import { previewPage } from './sites/preview.page.js';
import { sitesPage } from './sites/sites.page.js';
import { systemPages } from './system/system.page.js';
import { todayPage } from './today/today.page.js';
import { usagePage } from './usage/usage.page.js';
import { sourcePages } from './sources/sources.page.js';
import { deliveriesPage } from './webhooks/deliveries.page.js';
import { webhookPages } from './webhooks/webhooks.page.js';

/** Every page of the backoffice. A literal path stands before one with a parameter that it would match. */
export const pages: Page[] = [
  ...signInPages,
  signInLinkPage,
  todayPage,
  ...documentPages,
  batchPage,
  ...batchFilePages,
  reviewPage,
  replacePage,
  entriesPage,
  newEntryPage,
  changeEntriesPage,
  entryPage,
  entryAnswersPage,
  questionsPage,
  ...topicPages,
  questionPage,
  conversationsPage,
  conversationPage,
  trialPage,
  searchPage,
  sitesPage,
  previewPage,
  appPage,
  newKeyPage,
  keyPage,
  ...peoplePages,
  personDataPage,
  personPage,
  usagePage,
  ...sourcePages,
  ...webhookPages,
  deliveriesPage,
  ...changesPages,
  ...insightsPages,
  ...systemPages,
  accountPage,
  secondFactorPage,
];

/** Registers the pages of the backoffice and their files. Returns who answers the refusals below /backoffice. */
export function serveBackoffice(
  router: Router,
  app: App,
  limits: RequestLimits,
): (ctx: Context) => WriteRefusal | undefined {
  const assets = openAssets();
  const parts = { app, limits, assets };
  for (const page of pages) servePage(router, parts, page);
  router.get('/backoffice/assets/:file', async (ctx) => {
    noteRoute(ctx, '/backoffice/assets/:file');
    await assets.send(ctx, String(ctx['params']['file']));
  });
  // pdf.js adds this name to the address that it is given.
  router.get('/backoffice/assets/:file/openjpeg_nowasm_fallback.js', async (ctx) => {
    noteRoute(ctx, '/backoffice/assets/:file');
    await assets.send(ctx, String(ctx['params']['file']));
  });
  router.get('/backoffice/assets/pdfjs/:folder/:file', async (ctx) => {
    noteRoute(ctx, '/backoffice/assets/pdfjs/:folder/:file');
    await assets.sendFont(ctx, String(ctx['params']['folder']), String(ctx['params']['file']));
  });
  const writeRefusal: WriteRefusal = (ctx, error) => writeFaultPage(parts, ctx, error);
  return ({ path }) =>
    path === '/backoffice' || path.startsWith('/backoffice/') ? writeRefusal : undefined;
}
