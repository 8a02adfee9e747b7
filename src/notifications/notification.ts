import type { Person } from '../platform/actor.js';
import type { Language } from '../language/language-pack.js';

/** Whom a notification is for: one of them, or nobody (then only webhooks hear of it). */
export type Recipient = Person;

export const notificationKinds = ['request_resolved', 'account_linked'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What a person is told: the answer to a request of theirs, or what has happened to them. */
export interface News {
  /** The request that was resolved; null where it is about none. */
  requestId: number | null;
  /** What was asked; else in one line what has happened. */
  question: string;
  response: string;
  url: string | null;
  /** The uuid of the entry that the answer was published as. */
  entryId: string | null;
  language: Language;
  resolvedAt: string;
}

export interface Notification {
  id: number;
  organizationId: number;
  kind: NotificationKind;
  payload: News;
  /** That the question came from; null where it came from none, or from one that is gone. */
  conversationId: string | null;
  readAt: string | null;
  createdAt: string;
}

export const deliveryChannels = ['mail', 'webhook'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

export const deliveryStatuses = ['pending', 'delivered', 'dead'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One message on its way out. Whatever happens, it carries the same `messageId` each time. */
export interface Delivery {
  id: number;
  organizationId: number;
  notificationId: number;
  channel: DeliveryChannel;
  /** An e-mail address, or the number of a webhook endpoint. */
  target: string;
  payload: DeliveryPayload;
  status: DeliveryStatus;
  attempts: number;
  lastError: string | null;
  /** When it is tried next, while it is pending. */
  notBefore: string;
  deliveredAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface DeliveryPayload {
  messageId: string;
  /** Of what was stored before there was another, none. */
  kind?: NotificationKind;
  request: News;
}
