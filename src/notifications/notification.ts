import type { Person } from '../platform/actor.js';
import type { Language } from '../language/language-pack.js';

/** The recipient: one of the ids, or nobody (then only webhooks receive the message). */
export type Recipient = Person;

export const notificationKinds = ['request_resolved', 'account_linked'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The content of a notification: the answer to a person's request, or an event. */
export interface News {
  /** The resolved request; null without one. */
  requestId: number | null;
  /** The question, or the event in one line. */
  question: string;
  response: string;
  url: string | null;
  /** The uuid of the entry with the published answer. */
  entryId: string | null;
  language: Language;
  resolvedAt: string;
}

export interface Notification {
  id: number;
  organizationId: number;
  kind: NotificationKind;
  payload: News;
  /** The conversation of the question; null when there is none, or it was deleted. */
  conversationId: string | null;
  readAt: string | null;
  createdAt: string;
}

export const deliveryChannels = ['mail', 'webhook'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

export const deliveryStatuses = ['pending', 'delivered', 'dead'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One outgoing message. It has the same `messageId` at every attempt. */
export interface Delivery {
  id: number;
  organizationId: number;
  notificationId: number;
  channel: DeliveryChannel;
  /** An e-mail address, or the id of a webhook. */
  target: string;
  payload: DeliveryPayload;
  status: DeliveryStatus;
  attempts: number;
  lastError: string | null;
  /** The time of the next attempt, while it is pending. */
  notBefore: string;
  deliveredAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface DeliveryPayload {
  messageId: string;
  /** Missing in data that was stored when there was only one kind. */
  kind?: NotificationKind;
  request: News;
}
