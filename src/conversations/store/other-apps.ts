import type { SearchScope } from '../../search/passages/scope.js';
import type { AskingActor } from './asker.js';
import type { Conversation, Message } from './conversation.js';
import type { MessageReach } from './messages.repository.js';

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
