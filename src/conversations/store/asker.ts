import {
  type Actor,
  type Member,
  personOf,
  requireAsker,
  type WidgetPerson,
} from '../../platform/actor.js';
import type { SearchScope } from '../../search/passages/scope.js';
import type { Channel } from '../../usage/payer.js';
import type { Conversation, Message } from './conversation.js';
import type { ConversationOwner } from './conversations.repository.js';
import type { MessageReach } from './messages.repository.js';

/** Actors who may ask: the people of an organization, and, over its widget, those who use its apps. */
export type AskingActor = Member | WidgetPerson;

export interface Asker {
  actor: AskingActor;
  organizationId: number;
  /** Whose conversations the asker's own are. */
  owner: ConversationOwner;
}

/** Who asks over a channel, and what is theirs. Refuses as requireAsker does. */
export function askerOf(actor: Actor, channel?: Channel): Asker {
  const asking = requireAsker(actor, channel === 'widget');
  const { organizationId } = asking;
  return { actor: asking, organizationId, owner: { organizationId, ...personOf(asking) } };
}

/**
 * What of a conversation an asker is told: a person of an app's widget, whom its host speaks for, what was said about
 * that app alone, since a linked account goes on with the same conversation on pages of others.
 */
export function reachOf(actor: AskingActor): MessageReach {
  return { otherApps: !('appId' in actor) };
}

/** The app of an organization that a question is about, by its page; null where that is none of its. */
export function appAskedAbout(scope: SearchScope, organizationId: number): number | null {
  return scope.organizationId === organizationId ? (scope.appId ?? null) : null;
}

/**
 * Whether a question is none of the conversation's app: its page is of another, or a model is shown turns of another,
 * which its answer may repeat.
 */
export function isOfOtherApp(
  conversation: Conversation | undefined,
  appId: number | null,
  history: Message[],
): boolean {
  if (conversation === undefined) return false;
  return conversation.appId !== appId || history.some(({ ofOtherApp }) => ofOtherApp);
}
