import type { Person } from '../platform/actor.js';
import type { Language } from '../language/language-pack.js';
import { json, plain, record, type RecordOf } from '../platform/db/record.js';

/** The recipient: one of the ids, or nobody (then only webhooks receive the message). */
export type Recipient = Person;

/** What people find in the product. */
export const notificationKinds = ['request_resolved', 'account_linked'] as const;
/** `source_run`: the report of a run of a source, which is only mailed. */
export type NotificationKind = (typeof notificationKinds)[number] | 'source_run';

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

export const notifications = record({
  id: plain<number>(),
  organizationId: plain<number>(),
  kind: plain<(typeof notificationKinds)[number]>(),
  payload: json<News>(),
  /** The conversation of the question; null when there is none, or it was deleted. */
  conversationId: plain<string | null>(),
  readAt: plain<string | null>(),
  createdAt: plain<string>(),
});
export type Notification = RecordOf<typeof notifications>;

export const deliveryChannels = ['mail', 'webhook'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

export const deliveryStatuses = ['pending', 'delivered', 'dead'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveries = record({
  id: plain<number>(),
  organizationId: plain<number>(),
  notificationId: plain<number>(),
  channel: plain<DeliveryChannel>(),
  /** An e-mail address, or the id of a webhook. */
  target: plain<string>(),
  payload: json<DeliveryPayload>(),
  status: plain<DeliveryStatus>(),
  attempts: plain<number>(),
  lastError: plain<string | null>(),
  /** The HTTP status of a webhook's last answer; null without one. */
  answerStatus: plain<number | null>(),
  /** The time of the next attempt, while it is pending. */
  notBefore: plain<string>(),
  deliveredAt: plain<string | null>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

/** One outgoing message. It has the same `messageId` at every attempt. */
export type Delivery = RecordOf<typeof deliveries>;

export interface DeliveryPayload {
  messageId: string;
  /** Missing in data that was stored when there was only one kind. */
  kind?: NotificationKind;
  request: News;
}
