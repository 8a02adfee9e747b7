import type { Role } from '../../src/platform/actor.js';
import { callApi, type ApiReply } from './api-client.js';
import { insertAccount, type TestApp, type TestOrganization, type TestUser } from './test-app.js';

/** Adds a user with this name and a token for the API. A role can have several users. */
export async function addAccount(
  { app }: Pick<TestApp, 'app'>,
  { operator }: TestOrganization,
  displayName: string,
  role: Role = 'user',
): Promise<TestUser> {
  const email = `${displayName.toLowerCase()}@${operator.organizationId}.example`;
  return insertAccount(app, operator, { email, role, displayName });
}

export interface LinkBody {
  id: number;
  app_id: number;
  app_name: string;
  external_id: string;
  display_name: string | null;
  email: string | null;
  linked_at: string;
  code: string;
  detail: string;
  errors: { path: string }[];
}

/** Links an account as the extension does after its user confirms, on localhost, which the service must allow. */
export async function link(
  { url }: { url: string },
  account: { token: string },
  body: { widgetKey: string; token: string; origin?: string; session?: string },
): Promise<ApiReply<LinkBody>> {
  return callApi<LinkBody>(`${url}/api/account-links`, {
    token: account.token,
    body: { origin: 'http://localhost', ...body },
  });
}
