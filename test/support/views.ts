import { insertRow } from '../../src/platform/db/record.js';
import type { TestApp, TestOrganization } from './test-app.js';

/** Stores a view of an organization's app. Returns its number. */
export async function addView(
  { app }: Pick<TestApp, 'app'>,
  organization: TestOrganization,
  path: string,
): Promise<number> {
  const now = app.clock.now().toISOString();
  return insertRow(app.db.write, 'views', {
    organization_id: organization.operator.organizationId,
    app_id: organization.appId,
    path,
    title: path,
    created_at: now,
    updated_at: now,
  });
}
