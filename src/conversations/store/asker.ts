import {
  personOf,
  requireAsker,
  type Actor,
  type Member,
  type WidgetPerson,
} from '../../platform/actor.js';
import type { Channel } from '../../usage/payer.js';
import type { ConversationOwner } from './conversations.repository.js';

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
