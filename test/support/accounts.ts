import { signAccessToken } from '../../src/accounts/tokens/access-tokens.js';
import { createUser } from '../../src/accounts/users/create-user.js';
import type { Role } from '../../src/platform/actor.js';
import { callApi, type ApiReply } from './api-client.js';
import type { TestApp, TestOrganization, TestUser } from './test-app.js';

/** A user of this name, with a token for the API: as many of a role as a test wants. */
export async function addAccount(
  { app }: Pick<TestApp, 'app'>,
  { operator }: TestOrganization,
  displayName: string,
  role: Role = 'user',
): Promise<TestUser> {
  const email = `${displayName.toLowerCase()}@${operator.organizationId}.example`;
  const password = 'correct horse battery';
  const { id } = await createUser(app, operator, { email, role, password, displayName });
  return { id, email, password, token: await signAccessToken(app, { userId: id }, 900) };
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

/** What the extension sends once its user has confirmed the banner; on localhost, which the service has to allow. */
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
