import { nameOf, type Actor, type Visibility } from '../../platform/actor.js';
import type { App, Store } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { lookUp, type Question } from '../../answers/answer-question.js';
import type { AskedPage, Turn } from '../../answers/question-context.js';
import { pageScope } from '../../knowledge/page-scope.js';
import { queryPage } from '../../knowledge/query-page.js';
import { suggestionsOf } from '../../knowledge/suggestions.js';
import type { Language } from '../../language/language-pack.js';
import type { FindClaim } from '../../tenancy/find-site.js';
import type { Channel, UsageChannel } from '../../usage/payer.js';
import { requireQuota } from '../../usage/charge-answer.js';
import type { Conversation, Message } from '../store/conversation.js';
import {
  appAskedAbout,
  type Asker,
  askerOf,
  type AskingActor,
  isOfOtherApp,
  reachOf,
} from '../store/asker.js';
import { findConversation } from '../store/conversations.repository.js';
import { addressToStore, maskIfWanted } from '../store/mask-if-wanted.js';
import { lastMessagesOf } from '../store/messages.repository.js';
import { madeFrom } from '../store/withhold-messages.js';
import { type Quote, checkQuotes } from '../../knowledge/check-quotes.js';

export interface MessageInput<C extends UsageChannel = Channel> {
  message: string;
  /** The page that the asker looks at; undefined without one (a terminal). */
  page: AskedPage | undefined;
  conversationId?: string | undefined;
  channel: C;
  /** Answers from this tier and those visible to more people; default: from all that the asker sees. */
  tier?: Visibility;
  /** The client's address (addressKey), by which visitors queue for the model: a browser can be many visitors. */
  from?: string;
  /**
   * Rejects when the actor may not (or no longer) ask. Nothing is searched, asked or stored before it resolves, and its
   * error is reported.
   */
  admitted?: Promise<void>;
  /** Looks up claims on hosts. Pass it when the call also uses it for its rights. */
  claimOn?: FindClaim;
  /** Aborting cancels the answer. */
  signal?: AbortSignal;
  /**
   * False when the answer is read as a whole: an answer without citations can then still be replaced. Default: true,
   * the text is sent as it arrives.
   */
  streamed?: boolean;
}

/** A question that may be asked, with everything needed to answer it. Nothing is stored yet. */
export interface PreparedQuestion<C extends UsageChannel = Channel> {
  asker: Asker;
  /** The existing conversation. */
  known: Conversation | undefined;
  pageUrl: string | null;
  /** The app of the page, if it belongs to the organization. */
  appId: number | null;
  ofOtherApp: boolean;
  channel: C;
  question: Omit<Question, 'signal' | 'onEvent' | 'onSpent'>;
  /** For staff: the entries behind the turns that the model is shown, because its answer may reveal them too. */
  inherited: Quote[];
}

/** The number of earlier messages that a model is shown. */
const historyLength = 8;

/**
 * Checks whether a message may be asked, masks its personal data, and starts the search for its answer. Errors:
 * `not_found` for a conversation of others; `quota_exceeded` when the payer has used up the month's units.
 */
export async function prepareQuestion<C extends UsageChannel>(
  app: App,
  actor: Actor,
  input: MessageInput<C>,
): Promise<PreparedQuestion<C>> {
  const { channel, tier } = input;
  const asker = askerOf(actor, channel === 'try' ? undefined : channel);
  const text = maskIfWanted(app, input.message).trim();
  const page = input.page === undefined ? undefined : maskPage(app, input.page);
  const url = input.page?.url;
  const at = { url, tier, field: 'context.url', claimOn: input.claimOn };
  // In parallel, because the first words of an answer wait for them. The first refusal in this order is reported.
  const checks = [
    existing(app, asker, input.conversationId),
    pageScope(app, asker.actor, at),
    requireQuota(app, {
      organizationId: asker.organizationId,
      channel,
      userId: asker.owner.userId ?? undefined,
    }),
  ] as const;
  await Promise.allSettled([input.admitted, ...checks]);
  await input.admitted;
  if (text === '')
    throw new AppError('invalid_request', 'The message is empty: write a question.', {
      reason: { is: 'no_question' },
    });
  const { known, history } = await checks[0];
  const { scope, place } = await checks[1];
  await checks[2];
  const appId = appAskedAbout(scope, asker.organizationId);
  const ofOtherApp = isOfOtherApp(known, appId, history);
  const pageUrl = page?.url ?? null;
  const turns = await readableTurns(app, asker.actor, history, scope);
  const asked = { text, scope, place, page, history: turns };
  const relevant = lookUp(app, asked);
  // The answer reports a failure of the search. If the question can’t be stored, there is no answer.
  relevant.catch(() => undefined);
  const question = {
    ...asked,
    relevant,
    caller: callerOf(asker.actor, input.from),
    suggest: async (language: Language) => {
      // A page of another app offers no suggestions.
      if (place === undefined || url === undefined) return [];
      const { entries } = await queryPage(app, asker.actor, { url, language });
      return suggestionsOf(entries);
    },
  };
  const inherited = scope.tiers.includes('internal') ? history.flatMap(madeFrom) : [];
  return { asker, known, pageUrl, appId, ofOtherApp, channel, question, inherited };
}

/** As for request limits: all visitors of an app from one address share one place in the model's queue. */
function callerOf(actor: AskingActor, from: string | undefined): string {
  return actor.kind === 'visitor' && from !== undefined
    ? `app:${actor.appId} ${from}`
    : nameOf(actor);
}

function maskPage(app: App, page: AskedPage): AskedPage {
  const { url, title, selectedText, headings, language } = page;
  return {
    language,
    url: url === undefined ? undefined : addressToStore(app, url),
    title: maskIfWanted(app, title),
    selectedText: selectedText === undefined ? undefined : maskIfWanted(app, selectedText),
    headings: headings?.map((heading) => maskIfWanted(app, heading)),
  };
}

/** The existing conversation of the actor. A reader of all conversations may not speak in somebody else's name. */
async function existing(
  app: App,
  asker: Asker,
  id: string | undefined,
): Promise<{ known: Conversation | undefined; history: Message[] }> {
  if (id === undefined) return { known: undefined, history: [] };
  const known = await findConversation(app, asker.owner, id);
  if (known === undefined)
    throw new AppError('not_found', `There is no conversation ${id} of yours.`);
  return { known, history: await lastMessagesOf(app, id, reachOf(asker.actor), historyLength) };
}

/**
 * The earlier turns that a model may be shown for the asker. Excludes answers from entries that were deleted,
 * unpublished, moved to another app or closed to the asker since, because their text could return in the next answer.
 * Excludes everything withheld from the asker (withholdMessages); for staff, also answers from drafts and deleted
 * entries. Excludes small talk, which nobody refers to.
 */
async function readableTurns(
  app: Store,
  actor: AskingActor,
  messages: Message[],
  { organizationId, tiers }: { organizationId: number; tiers: Visibility[] },
): Promise<Turn[]> {
  const appId = 'appId' in actor ? actor.appId : undefined;
  const reader = { organizationId, appId, tiers, drafts: false };
  const stateOf = await checkQuotes(app, reader, messages.flatMap(madeFrom));
  return messages
    .filter(({ role, found }) => role === 'user' || found !== null)
    .filter((message) => madeFrom(message).every((quote) => stateOf(quote) !== 'closed'))
    .map(({ role, content }) => ({ role, content }));
}
