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
 * Which messages of a conversation an asker may read. A person in an app's widget reads only what was said about that
 * app, because a linked account may go on with the same conversation on pages of other apps.
 */
export function reachOf(actor: AskingActor): MessageReach {
  return { otherApps: !('appId' in actor) };
}

/** The app of an organization that a question is about, by its page; null where that is none of its. */
export function appAskedAbout(scope: SearchScope, organizationId: number): number | null {
  return scope.organizationId === organizationId ? (scope.appId ?? null) : null;
}

/**
 * Whether a question belongs to another app than its conversation: its page does, or the model is shown earlier
 * messages about another app, which the answer may repeat.
 */
export function isOfOtherApp(
  conversation: Conversation | undefined,
  appId: number | null,
  history: Message[],
): boolean {
  if (conversation === undefined) return false;
  return conversation.appId !== appId || history.some(({ ofOtherApp }) => ofOtherApp);
}
