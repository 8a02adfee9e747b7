import { nameOf, type Actor, type Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { lookUp, type Question } from '../../answers/answer-question.js';
import type { AskedPage, Turn } from '../../answers/question-context.js';
import { pageScope } from '../../knowledge/page-scope.js';
import { queryPage } from '../../knowledge/query-page.js';
import { suggestionsOf } from '../../knowledge/suggestions.js';
import type { Language } from '../../language/language-pack.js';
import type { FindClaim } from '../../tenancy/find-site.js';
import type { Channel } from '../../usage/payer.js';
import { requireQuota } from '../../usage/require-quota.js';
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

export interface MessageInput {
  message: string;
  /** The page that the asker looks at; undefined where there is none (a terminal). */
  page: AskedPage | undefined;
  conversationId?: string | undefined;
  channel: Channel;
  /**
   * Where it comes from (addressKey), by which visitors wait for the model: each of them is as many as it likes to be.
   */
  from?: string;
  /**
   * Rejects where the actor turns out not to be who asks (any more): nothing is looked for, asked or stored before it
   * resolves, and its refusal is the one that is told.
   */
  admitted?: Promise<void>;
  /** Who claims the hosts of this very call, where that is asked for its rights too. */
  claimOn?: FindClaim;
  /** Aborting it cancels the answer. */
  signal?: AbortSignal;
  /**
   * False where the answer is read as a whole: one that turns out to cite nothing can then still be replaced. Default:
   * true, its text is passed on as it comes.
   */
  streamed?: boolean;
}

/** A question that may be asked, with what answering it needs. Nothing of it is stored yet. */
export interface PreparedQuestion {
  asker: Asker;
  /** The conversation that it goes on with. */
  known: Conversation | undefined;
  pageUrl: string | null;
  /** The app of the page, where it is the organization's. */
  appId: number | null;
  /** Whether it is none of the conversation's app. */
  ofOtherApp: boolean;
  channel: Channel;
  question: Omit<Question, 'signal' | 'onEvent' | 'onSpent'>;
  /** What the turns that a model is shown were made from, where staff ask: its answer may tell of that too. */
  inherited: Quote[];
}

/** Earlier messages that a model is shown. */
const historyLength = 8;

/**
 * Decides whether a message may be asked, masks the personal data in it, and begins to look for its answer. Refuses with
 * `not_found` a conversation that is not the actor's; with `quota_exceeded` where the payer has used up the month's
 * units.
 */
export async function prepareQuestion(
  app: App,
  actor: Actor,
  input: MessageInput,
): Promise<PreparedQuestion> {
  const { channel } = input;
  const asker = askerOf(actor, channel);
  const text = maskIfWanted(app, input.message).trim();
  const page = input.page === undefined ? undefined : maskPage(app, input.page);
  const at = { url: input.page?.url, field: 'context.url', claimOn: input.claimOn };
  // All at once: the first words of an answer wait for them. Whichever refuses first in this order is told.
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
  if (text === '') throw new AppError('invalid_request', 'The message is empty: write a question.');
  const { known, history } = await checks[0];
  const { scope, place } = await checks[1];
  await checks[2];
  const appId = appAskedAbout(scope, asker.organizationId);
  const ofOtherApp = isOfOtherApp(known, appId, history);
  const pageUrl = page?.url ?? null;
  const turns = await readableTurns(app, asker.actor, history, scope);
  const asked = { text, scope, place, page, history: turns };
  const relevant = lookUp(app, asked);
  // The maker of the answer is told; there is none where the question can’t be stored.
  relevant.catch(() => undefined);
  const question = {
    ...asked,
    relevant,
    caller: callerOf(asker.actor, input.from),
    suggest: async (language: Language) => {
      // A page of another app than the asker's suggests nothing.
      if (place === undefined || input.page === undefined) return [];
      const { entries } = await queryPage(app, asker.actor, { url: input.page.url, language });
      return suggestionsOf(entries);
    },
  };
  const inherited = scope.tiers.includes('internal') ? history.flatMap(madeFrom) : [];
  return { asker, known, pageUrl, appId, ofOtherApp, channel, question, inherited };
}

/** As requests are counted: a turn at the model for all visitors of an app from one address. */
function callerOf(actor: AskingActor, from: string | undefined): string {
  return actor.kind === 'visitor' && from !== undefined
    ? `app:${actor.appId} ${from}`
    : nameOf(actor);
}

function maskPage(app: App, page: AskedPage): AskedPage {
  const { url, title, selectedText, headings, language } = page;
  return {
    language,
    url: addressToStore(app, url),
    title: maskIfWanted(app, title),
    selectedText: selectedText === undefined ? undefined : maskIfWanted(app, selectedText),
    headings: headings?.map((heading) => maskIfWanted(app, heading)),
  };
}

/**
 * What was said before. One's own alone: a reader of all conversations may not speak in somebody else's name.
 */
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
 * The turns of a conversation that a model may be shown on the asker's behalf: without answers from entries that were
 * deleted, unpublished, moved to another app or closed to the asker since, which could come back in the next one. What
 * is withheld from the asker (withholdMessages) never is among them; to staff, drafts and what is gone are no turns
 * either. What was said to small talk is none: nobody goes on from there.
 */
async function readableTurns(
  app: Pick<App, 'db' | 'clock'>,
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
