import {
  createWidgetKey,
  revokeWidgetKey,
  type KeyWithSecret,
} from '../../src/federation/manage-widget-keys.js';
import type { WidgetKeyKind } from '../../src/platform/actor.js';
import { callApi } from './api-client.js';
import type { TestApp, TestOrganization } from './test-app.js';

/** A widget key of an organization's app. */
export async function addWidgetKey(
  test: Pick<TestApp, 'app'>,
  organization: TestOrganization,
  kind: WidgetKeyKind,
  { appId = organization.appId, revoked = false } = {},
): Promise<string> {
  const { key } = await addKeyWithSecret(test, organization, { kind, appId });
  if (revoked) await revokeWidgetKey(test.app, organization.operator, key.id);
  return key.key;
}

/** The same with the secret that its host's backend shows. */
export async function addKeyWithSecret(
  { app }: Pick<TestApp, 'app'>,
  organization: TestOrganization,
  { kind = 'public', appId = organization.appId }: { kind?: WidgetKeyKind; appId?: number } = {},
): Promise<KeyWithSecret> {
  return createWidgetKey(app, organization.operator, { appId, kind, name: kind });
}

/** A user token as a host's backend gets it, over HTTP. */
export async function addUserToken(
  test: { url: string },
  { key, secret }: KeyWithSecret,
  body: object = { externalId: 'person-1' },
): Promise<string> {
  const headers = { 'X-Widget-Secret': secret };
  const reply = await callApi<{ token: string }>(`${test.url}/widget/token`, {
    key: key.key,
    headers,
    body,
  });
  if (reply.status !== 200) throw new Error(`no user token was issued: ${reply.status}`);
  return reply.body.token;
}
