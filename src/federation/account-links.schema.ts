import { z } from 'zod';
import { listOf } from '../platform/http/paging.js';
import { presenter } from '../platform/wire-names.js';
import type { AccountLink, DescribedLink } from './account-links.repository.js';

export const accountLinkReply = z
  .object({
    id: z.number(),
    app_id: z.number(),
    app_name: z.string(),
    external_id: z.string().describe('What the app’s host calls the person.'),
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

const present = presenter(accountLinkReply);

export function presentAccountLink(link: DescribedLink): z.output<typeof accountLinkReply> {
  return present({ ...link, linkedAt: link.createdAt });
}

export function recordedLink(
  link: Pick<AccountLink, 'appId' | 'endUserId' | 'userId'> & { externalId: string },
): object {
  const { appId: app_id, endUserId: end_user_id, userId: user_id, externalId } = link;
  return { app_id, end_user_id, user_id, external_id: externalId };
}
