import type { Knex } from 'knex';
import type { Dialect } from './dialect.js';
import { createOrganizations } from './migrations/0001-create-organizations.js';
import { createAccounts } from './migrations/0002-create-accounts.js';
import { createIngestion } from './migrations/0003-create-ingestion.js';
import { createKnowledge } from './migrations/0004-create-knowledge.js';
import { createFederation } from './migrations/0005-create-federation.js';
import { createConversations } from './migrations/0006-create-conversations.js';
import { createRequests } from './migrations/0007-create-requests.js';
import { createUsage } from './migrations/0008-create-usage.js';
import { completeApi } from './migrations/0009-complete-api.js';
import { countPlaces } from './migrations/0010-count-places.js';
import { indexPayers } from './migrations/0011-index-payers.js';
import { rememberSignIns } from './migrations/0012-remember-sign-ins.js';
import { followDocuments } from './migrations/0013-follow-documents.js';
import { followEdits } from './migrations/0014-follow-edits.js';
import { createVectors } from './migrations/0016-create-vectors.js';
import { rememberModels } from './migrations/0018-remember-models.js';
import { markSupport } from './migrations/0020-mark-support.js';
import { signInEndUsers } from './migrations/0021-sign-in-end-users.js';
import { claimAnswers } from './migrations/0029-claim-answers.js';
import { linkAccounts } from './migrations/0030-link-accounts.js';
import { followLinks } from './migrations/0031-follow-links.js';
import { heedOtherServers } from './migrations/0032-heed-other-servers.js';
import { keepApart } from './migrations/0033-keep-apart.js';
import { buildTermIndex } from './migrations/0034-build-term-index.js';
import { trustVectors } from './migrations/0035-trust-vectors.js';
import { answerInConversation } from './migrations/0036-answer-in-conversation.js';
import { dropWriteLock } from './migrations/0037-drop-write-lock.js';
import { followPages } from './migrations/0038-follow-pages.js';
import { retainAndErase } from './migrations/0039-retain-and-erase.js';
import { signOnByProviders } from './migrations/0040-sign-on-by-providers.js';
import { addSecondFactor } from './migrations/0041-add-second-factor.js';
import { forgetWithAccounts } from './migrations/0042-forget-with-accounts.js';
import { proveSignIns } from './migrations/0043-prove-sign-ins.js';
import { slimClaims } from './migrations/0044-slim-claims.js';
import { partOrganizations } from './migrations/0045-part-organizations.js';
import { createFts5Index } from './migrations/fts5-index.js';

export interface Migration {
  /** Without an extension, so that the name is the same for every build. */
  name: string;
  up(trx: Knex): Promise<void>;
}

/**
 * Every migration in order. Never edit a published migration; correct it with the next one. The missing numbers (0017,
 * 0019, 0022 to 0028) were never published.
 */
export function migrations(dialect: Dialect): Migration[] {
  return [
    { name: '0001-create-organizations', up: createOrganizations },
    { name: '0002-create-accounts', up: createAccounts },
    { name: '0003-create-ingestion', up: createIngestion },
    {
      name: '0004-create-knowledge',
      up: createKnowledge(createFts5Index),
    },
    { name: '0005-create-federation', up: createFederation },
    { name: '0006-create-conversations', up: createConversations },
    { name: '0007-create-requests', up: createRequests },
    { name: '0008-create-usage', up: createUsage },
    { name: '0009-complete-api', up: completeApi },
    { name: '0010-count-places', up: countPlaces(dialect) },
    { name: '0011-index-payers', up: indexPayers },
    { name: '0012-remember-sign-ins', up: rememberSignIns },
    { name: '0013-follow-documents', up: followDocuments },
    { name: '0014-follow-edits', up: followEdits },
    {
      name: '0015-score-passages',
      // It takes the words of all languages along, which no other start needs.
      async up(trx) {
        const { scorePassages } = await import('./migrations/0015-score-passages.js');
        await scorePassages(dialect)(trx);
      },
    },
    { name: '0016-create-vectors', up: createVectors },
    { name: '0018-remember-models', up: rememberModels },
    { name: '0020-mark-support', up: markSupport },
    { name: '0021-sign-in-end-users', up: signInEndUsers },
    { name: '0029-claim-answers', up: claimAnswers },
    { name: '0030-link-accounts', up: linkAccounts },
    { name: '0031-follow-links', up: followLinks },
    { name: '0032-heed-other-servers', up: heedOtherServers },
    // Separates what an account asked in one app from what linked sites of another app may show.
    { name: '0033-keep-apart', up: keepApart },
    { name: '0034-build-term-index', up: buildTermIndex(dialect) },
    { name: '0035-trust-vectors', up: trustVectors },
    { name: '0036-answer-in-conversation', up: answerInConversation },
    { name: '0037-drop-write-lock', up: dropWriteLock },
    { name: '0038-follow-pages', up: followPages(dialect) },
    { name: '0039-retain-and-erase', up: retainAndErase },
    { name: '0040-sign-on-by-providers', up: signOnByProviders },
    { name: '0041-add-second-factor', up: addSecondFactor },
    { name: '0042-forget-with-accounts', up: forgetWithAccounts(dialect) },
    { name: '0043-prove-sign-ins', up: proveSignIns },
    { name: '0044-slim-claims', up: slimClaims },
    { name: '0045-part-organizations', up: partOrganizations },
  ];
}
