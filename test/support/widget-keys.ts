import { randomBytes } from 'node:crypto';
import type { WidgetKeyKind } from '../../src/platform/actor.js';
import type { TestApp, TestOrganization } from './test-app.js';

/** A widget key of an organization's app, as a row: what makes keys is not part of what is tested with it. */
export async function addWidgetKey(
  { app }: Pick<TestApp, 'app'>,
  organization: TestOrganization,
  kind: WidgetKeyKind,
  { appId = organization.appId, revoked = false } = {},
): Promise<string> {
  const key = `wk_live_${randomBytes(16).toString('hex')}`;
  const now = app.clock.now().toISOString();
  await app.db.write('widget_keys').insert({
    organization_id: organization.operator.organizationId,
    app_id: appId,
    key,
    kind,
    name: kind,
    revoked_at: revoked ? now : null,
    created_at: now,
  });
  return key;
}
