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

/** A widget key with the secret for its host's backend. */
export async function addKeyWithSecret(
  { app }: Pick<TestApp, 'app'>,
  organization: TestOrganization,
  { kind = 'public', appId = organization.appId }: { kind?: WidgetKeyKind; appId?: number } = {},
): Promise<KeyWithSecret> {
  return createWidgetKey(app, organization.operator, { appId, kind, name: kind });
}

/** Requests a user token over HTTP, like a host's backend. */
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
