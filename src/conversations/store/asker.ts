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

/** Actors who may ask: the people of an organization and, over the widget, the people who use its apps. */
export type AskingActor = Member | WidgetPerson;

export interface Asker {
  actor: AskingActor;
  organizationId: number;
  /** The owner of the asker's own conversations. */
  owner: ConversationOwner;
}

/** The asker over a channel. Errors: those of requireAsker. */
export function askerOf(actor: Actor, channel?: Channel): Asker {
  const asking = requireAsker(actor, channel === 'widget');
  const { organizationId } = asking;
  return { actor: asking, organizationId, owner: { organizationId, ...personOf(asking) } };
}

/**
 * The messages of a conversation that an asker may read. A person in an app's widget reads only messages about that
 * app, because a linked account may continue the conversation on pages of other apps.
 */
export function reachOf(actor: AskingActor): MessageReach {
  return { otherApps: !('appId' in actor) };
}

/** The organization's app to which the page of a question belongs; null when there is none. */
export function appAskedAbout(scope: SearchScope, organizationId: number): number | null {
  return scope.organizationId === organizationId ? (scope.appId ?? null) : null;
}

/**
 * True when a question belongs to another app than its conversation: by its page, or because the model is shown earlier
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
