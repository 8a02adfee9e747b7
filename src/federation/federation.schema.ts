import { z } from 'zod';
import { widgetKeyKinds } from '../platform/actor.js';
import { presenter } from '../platform/wire-names.js';
import { listOf } from '../platform/http/paging.js';
import type { WidgetKey } from './widget-key.js';
import type { AccountLink, DescribedLink } from './account-links.repository.js';

const secretReply = z.object({
  id: z.number(),
  created_at: z.string(),
  expires_at: z.string().nullable().describe('When it expires; null for the newest.'),
});

/** A widget key in wire format. Of its secrets it shows only that they exist. */
export const widgetKeyReply = z
  .object({
    id: z.number(),
    app_id: z.number(),
    key: z.string().describe('Safe in HTML: it begins with wk_live_.'),
    kind: z
      .enum(widgetKeyKinds)
      .describe('public sees public knowledge; authenticated what is for signed-in people too.'),
    name: z.string().describe('What it is for.'),
    secrets: z.array(secretReply).describe('The valid secrets, newest first.'),
    revoked_at: z.string().nullable().describe('Null while it holds.'),
    created_at: z.string(),
  })
  .meta({ id: 'WidgetKey' });

const presentSecret = presenter(secretReply);
const presentWidgetKey = presenter(widgetKeyReply);

export function presentKey(key: WidgetKey): z.output<typeof widgetKeyReply> {
  return presentWidgetKey({ ...key, secrets: key.secrets.map(presentSecret) });
}

/** A key with its new secret, shown only once. */
export const widgetKeyWithSecretReply = widgetKeyReply.extend({
  secret: z
    .string()
    .describe('Shown only once. It begins with wsk_secret_. Use it only on your backend.'),
});

export const accountLinkReply = z
  .object({
    id: z.number(),
    app_id: z.number(),
    app_name: z.string(),
    external_id: z.string().describe('The id of the person at the app’s host.'),
    display_name: z.string().nullable().describe('As the host has it.'),
    email: z.string().nullable().describe('As the host has it: nothing was matched by it.'),
    linked_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'AccountLink' });

/** A list of links. A list for a key also names the key's app. */
export const accountLinkList = listOf(accountLinkReply).extend({
  app: z
    .object({ id: z.number(), name: z.string() })
    .optional()
    .describe('Only with widget_key: the app that the key is of.'),
  linkable: z
    .boolean()
    .optional()
    .describe('Only with origin: whether its pages are of that app, and may ask for a link.'),
});

const presentLink = presenter(accountLinkReply);

export function presentAccountLink(link: DescribedLink): z.output<typeof accountLinkReply> {
  return presentLink({ ...link, linkedAt: link.createdAt });
}

export function recordedLink(
  link: Pick<AccountLink, 'appId' | 'endUserId' | 'userId'> & { externalId: string },
): object {
  const { appId: app_id, endUserId: end_user_id, userId: user_id, externalId } = link;
  return { app_id, end_user_id, user_id, external_id: externalId };
}
