import { z } from 'zod';
import { widgetKeyKinds } from '../platform/actor.js';
import { presenter } from '../platform/wire-names.js';
import type { WidgetKey } from './widget-key.js';

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
const present = presenter(widgetKeyReply);

export function presentKey(key: WidgetKey): z.output<typeof widgetKeyReply> {
  return present({ ...key, secrets: key.secrets.map(presentSecret) });
}

/** A key with its new secret, shown only once. */
export const widgetKeyWithSecretReply = widgetKeyReply.extend({
  secret: z
    .string()
    .describe('Shown this once. It begins with wsk_secret_ and belongs on your backend alone.'),
});
