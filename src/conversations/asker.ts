import { requirePermission, type Actor } from '../platform/actor.js';
import type { Channel } from '../usage/payer.js';
import type { ConversationOwner } from './conversations.repository.js';

/** Whoever may ask: the people of an organization, and, over its widget, those who use its apps. */
export type AskingActor = Extract<Actor, { kind: 'operator' | 'user' | 'end_user' | 'visitor' }>;

export interface Asker {
  actor: AskingActor;
  organizationId: number;
  /** Whose conversations the asker's own are. */
  owner: ConversationOwner;
}

/**
 * Who asks over a channel, and what is theirs. Over the widget that may be an end user or a visitor too: their
 * credentials open nothing else. Refuses anybody else as requirePermission(actor, 'ask') does.
 */
export function askerOf(actor: Actor, channel?: Channel): Asker {
  const asking =
    channel === 'widget' && (actor.kind === 'end_user' || actor.kind === 'visitor')
      ? actor
      : requirePermission(actor, 'ask');
  const { organizationId } = asking;
  return {
    actor: asking,
    organizationId,
    owner: {
      organizationId,
      userId: asking.kind === 'user' ? asking.userId : null,
      endUserId: asking.kind === 'end_user' ? asking.endUserId : null,
      visitorId: asking.kind === 'visitor' ? asking.visitorId : null,
    },
  };
}
