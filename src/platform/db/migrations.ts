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
import { stateSources } from './migrations/0046-state-sources.js';
import { openBackoffice } from './migrations/0047-open-backoffice.js';
import { keepRejectedDrafts } from './migrations/0048-keep-rejected-drafts.js';
import { tryAnswers } from './migrations/0049-try-answers.js';
import { countAnswers } from './migrations/0050-count-answers.js';
import { followSites } from './migrations/0052-follow-sites.js';
import { lookAfterPeople } from './migrations/0053-look-after-people.js';
import { traceAnswers } from './migrations/0054-trace-answers.js';
import { sortByTitle } from './migrations/0056-sort-by-title.js';
import { reshapeDrafts } from './migrations/0058-reshape-drafts.js';
import { keepCountedDays } from './migrations/0067-keep-counted-days.js';
import { findWords } from './migrations/0074-find-words.js';
import { sortByLanguage } from './migrations/0076-sort-by-language.js';
import { keepTopics } from './migrations/0077-keep-topics.js';
import { filterLists } from './migrations/0078-filter-lists.js';
import { keepUsedDays } from './migrations/0084-keep-used-days.js';
import { listByChannel } from './migrations/0088-list-by-channel.js';
import { recordReader } from './migrations/0089-record-reader.js';
import { recordRecognition } from './migrations/0090-record-recognition.js';
import { forgetSearchedWords } from './migrations/0091-forget-searched-words.js';
import { shareSignInAttempts } from './migrations/0092-share-sign-in-attempts.js';
import { watchAnswersElsewhere } from './migrations/0093-watch-answers-elsewhere.js';
import { shareRequestLimits } from './migrations/0094-share-request-limits.js';
import { recordKinds } from './migrations/0095-record-kinds.js';
import { linkDocuments } from './migrations/0100-link-documents.js';
import { countMends } from './migrations/0101-count-mends.js';
import { undoReplacements } from './migrations/0102-undo-replacements.js';
import { createSources } from './migrations/0096-create-sources.js';
import { followMovedPages } from './migrations/0099-follow-moved-pages.js';
import { shareAnswerFrames } from './migrations/0097-share-answer-frames.js';
import { createFts5Index } from './migrations/fts5-index.js';

export interface Migration {
  /**
   * Without an extension, so that the name is the same for every build. A name that ends with `+` promises that programs
   * without this migration may go on beside those with it: it only adds tables, triggers and columns, which older programs
   * need not fill and which go with the row that they belong to, and it locks no large table for long.
   */
  name: string;
  /** A description for people who upgrade. */
  about: string;
  up(trx: Knex): Promise<void>;
}

/**
 * Every migration in order. Never edit a published migration; correct it with the next one. The missing numbers (0017,
 * 0019, 0022 to 0028) were never published.
 */
export function migrations(dialect: Dialect): Migration[] {
  return [
    {
      name: '0001-create-organizations',
      about: 'Makes the tables of organizations, apps, domains and views.',
      up: createOrganizations,
    },
    {
      name: '0002-create-accounts',
      about: 'Makes the tables of users, sessions and API tokens.',
      up: createAccounts,
    },
    {
      name: '0003-create-ingestion',
      about: 'Makes the tables of batches and uploaded files.',
      up: createIngestion,
    },
    {
      name: '0004-create-knowledge',
      about: 'Makes the tables of entries, their versions and their passages.',
      up: createKnowledge(createFts5Index),
    },
    {
      name: '0005-create-federation',
      about: 'Makes the tables of widget keys and of the users of other sites.',
      up: createFederation,
    },
    {
      name: '0006-create-conversations',
      about: 'Makes the tables of conversations, messages and feedback.',
      up: createConversations,
    },
    {
      name: '0007-create-requests',
      about: 'Makes the tables of requests, notifications and outgoing messages.',
      up: createRequests,
    },
    {
      name: '0008-create-usage',
      about: 'Makes the tables of usage, quotas and the record of changes.',
      up: createUsage,
    },
    {
      name: '0009-complete-api',
      about: 'Adds columns that the API needs to requests, users and messages.',
      up: completeApi,
    },
    {
      name: '0010-count-places',
      about: 'Counts the published entries of each page, and keeps the counts from then on.',
      up: countPlaces(dialect),
    },
    { name: '0011-index-payers', about: 'Adds indexes for the sums of usage.', up: indexPayers },
    {
      name: '0012-remember-sign-ins',
      about: 'Makes the table of places from which people signed in.',
      up: rememberSignIns,
    },
    {
      name: '0013-follow-documents',
      about: 'Connects the entries of one document, so that a changed file is compared with them.',
      up: followDocuments,
    },
    {
      name: '0014-follow-edits',
      about: 'Marks the texts that a person edited, and the readings that a later one replaced.',
      up: followEdits,
    },
    {
      name: '0015-score-passages',
      about:
        'Stores the words of each passage for the search. It takes about a millisecond per passage.',
      // It takes the words of all languages along, which no other start needs.
      async up(trx) {
        const { scorePassages } = await import('./migrations/0015-score-passages.js');
        await scorePassages(dialect)(trx);
      },
    },
    { name: '0016-create-vectors', about: 'Makes the tables of vectors.', up: createVectors },
    {
      name: '0018-remember-models',
      about: 'Makes the table of facts about models.',
      up: rememberModels,
    },
    {
      name: '0020-mark-support',
      about:
        'Connects each answer with its question, and stores which sentences no source supports.',
      up: markSupport,
    },
    {
      name: '0021-sign-in-end-users',
      about: 'Lets people of the organization sign in to the widget.',
      up: signInEndUsers,
    },
    {
      name: '0029-claim-answers',
      about: 'Makes the table of answers under way.',
      up: claimAnswers,
    },
    {
      name: '0030-link-accounts',
      about: 'Makes the table of links between accounts and the users of other sites.',
      up: linkAccounts,
    },
    {
      name: '0031-follow-links',
      about: 'Stores the app of each notification, and the internal entries behind each answer.',
      up: followLinks,
    },
    {
      name: '0032-heed-other-servers',
      about: 'Lets several processes work on answers together.',
      up: heedOtherServers,
    },
    // Separates what an account asked in one app from what linked sites of another app may show.
    {
      name: '0033-keep-apart',
      about: 'Stores in which app each question was asked.',
      up: keepApart,
    },
    {
      name: '0034-build-term-index',
      about:
        'Replaces the full-text index. The search index is made anew afterwards, in about a millisecond per passage.',
      up: buildTermIndex(dialect),
    },
    {
      name: '0035-trust-vectors',
      about: 'Stores how far vectors can be trusted.',
      up: trustVectors,
    },
    {
      name: '0036-answer-in-conversation',
      about: 'Connects each notification with the conversation of its question.',
      up: answerInConversation,
    },
    {
      name: '0037-drop-write-lock',
      about: 'Deletes a table that is no longer used.',
      up: dropWriteLock,
    },
    {
      name: '0038-follow-pages',
      about: 'Has each change of a passage noticed by all processes.',
      up: followPages(dialect),
    },
    {
      name: '0039-retain-and-erase',
      about:
        'Adds what retention and erasure need. The places from which people signed in are forgotten once.',
      up: retainAndErase,
    },
    {
      name: '0040-sign-on-by-providers',
      about: 'Makes the tables of identity providers.',
      up: signOnByProviders,
    },
    {
      name: '0041-add-second-factor',
      about: 'Makes the tables of second factors and recovery codes.',
      up: addSecondFactor,
    },
    {
      name: '0042-forget-with-accounts',
      about: 'Decides what is deleted with an account.',
      up: forgetWithAccounts(dialect),
    },
    {
      name: '0043-prove-sign-ins',
      about: 'Stores which sign-ins a provider confirmed anew.',
      up: proveSignIns,
    },
    {
      name: '0044-slim-claims',
      about: 'Drops columns of answers under way that nothing reads.',
      up: slimClaims,
    },
    {
      name: '0045-part-organizations',
      about:
        'Keeps the trust in vectors by organization; the server estimates it anew. Organizations take turns at the workers.',
      up: partOrganizations,
    },
    {
      name: '0046-state-sources',
      about: 'Stores the source of each document and batch.',
      up: stateSources,
    },
    {
      name: '0047-open-backoffice',
      about: 'Adds sessions in browsers, and what people choose for the backoffice.',
      up: openBackoffice,
    },
    {
      name: '0048-keep-rejected-drafts',
      about: 'Keeps rejected drafts for seven days, and sorts batches by an index.',
      up: keepRejectedDrafts,
    },
    {
      name: '0049-try-answers',
      about: 'Counts the use of questions that staff try without a conversation.',
      up: tryAnswers,
    },
    {
      name: '0050-count-answers',
      about:
        'Adds the time zone of organizations, an index to count answers by, and which questions are settled.',
      up: countAnswers,
    },
    {
      name: '0052-follow-sites',
      about:
        'Stores on which hosts a widget key is used, links that sign in once, and who has hidden the checklist.',
      up: followSites,
    },
    {
      name: '0053-look-after-people',
      about:
        'Stores when people were here last and typed their password again, and what webhooks answered.',
      up: lookAfterPeople,
    },
    {
      name: '0054-trace-answers',
      about: 'Stores how long answers take, which model writes them, and which entries they cite.',
      up: traceAnswers,
    },
    {
      name: '0056-sort-by-title',
      about: 'Sorts entries by title and by creation with indexes.',
      up: sortByTitle,
    },
    {
      name: '0058-reshape-drafts',
      about: 'Keeps drafts that were merged or split for seven days, as they were before.',
      up: reshapeDrafts,
    },
    {
      name: '0067-keep-counted-days',
      about: 'Keeps the figures of days that are over until something that they count changes.',
      up: keepCountedDays(dialect),
    },
    {
      name: '0074-find-words',
      about: 'Finds conversations by the words of their messages, with an index of all messages.',
      up: findWords,
    },
    {
      name: '0076-sort-by-language',
      about: 'Lists the entries of one language with indexes.',
      up: sortByLanguage,
    },
    {
      name: '0077-keep-topics',
      about: 'Keeps the topics without an answer until something that they are made of changes.',
      up: keepTopics(dialect),
    },
    {
      name: '0078-filter-lists',
      about: 'Filters lists of conversations and entries with indexes.',
      up: filterLists,
    },
    {
      name: '0084-keep-used-days',
      about: 'Keeps the usage of days that are over until it changes.',
      up: keepUsedDays(dialect),
    },
    {
      name: '0088-list-by-channel',
      about: 'Lists the conversations of one channel with an index.',
      up: listByChannel,
    },
    {
      name: '0089-record-reader',
      about: 'Records which of the two readers read the file of a batch.',
      up: recordReader,
    },
    {
      name: '0090-record-recognition',
      about: 'Records which pages of a document were read by text recognition.',
      up: recordRecognition,
    },
    {
      name: '0091-forget-searched-words',
      about: 'Removes the searched words from the records of downloads.',
      up: forgetSearchedWords,
    },
    {
      name: '0092-share-sign-in-attempts',
      about: 'Makes the table in which wrong passwords are counted.',
      up: shareSignInAttempts,
    },
    {
      name: '0093-watch-answers-elsewhere',
      about: 'Lets readers at other servers wait for an answer.',
      up: watchAnswersElsewhere,
    },
    {
      name: '0094-share-request-limits+',
      about: 'Makes the table in which servers on PostgreSQL count requests together.',
      up: shareRequestLimits,
    },
    {
      name: '0095-record-kinds+',
      about: 'Records the kinds of documents, and the places of entries in those without pages.',
      up: recordKinds,
    },
    {
      name: '0096-create-sources+',
      about: 'Makes the tables of folders and websites that are read again and again.',
      up: createSources,
    },
    {
      name: '0097-share-answer-frames+',
      about: 'Makes the table of the pieces of answers that are read at another server.',
      up: shareAnswerFrames,
    },
    {
      name: '0098-make-search-index-4',
      about: 'Keeps programs away that do not know the new form of the index of words.',
      // The index itself is made anew at the next start.
      up: () => Promise.resolve(),
    },
    {
      name: '0099-follow-moved-pages+',
      about: 'Keeps what tells that a page of a website has moved, and who gets reports of runs.',
      up: followMovedPages,
    },
    {
      name: '0100-link-documents+',
      about: 'Records the headings of entries that have several, for links between documents.',
      up: linkDocuments,
    },
    {
      name: '0101-count-mends+',
      about: 'Records repairs of stored vectors, so that servers that run read them anew.',
      up: countMends,
    },
    {
      name: '0102-undo-replacements+',
      about: 'Keeps drafts in which a text was replaced for seven days, as they were before.',
      up: undoReplacements,
    },
    {
      name: '0103-make-search-index-5',
      about: 'Keeps programs away that read words with ß, ø or typographic hyphens in another way.',
      // The index itself is made anew at the next start.
      up: () => Promise.resolve(),
    },
  ];
}
