import { z } from 'zod';
import { listApiTokens, getApiToken, revokeApiToken } from '../../accounts/users/api-tokens.js';
import { hasSecondFactor, resetSecondFactor } from '../../accounts/users/manage-second-factor.js';
import { getUser, resetPassword, updateUser } from '../../accounts/users/manage-users.js';
import { maxTokenDays, mintToken } from '../../accounts/users/mint-token.js';
import { endLinksOfUser } from '../../federation/end-links.js';
import { listLinksOfUser } from '../../federation/read-links.js';
import { roles } from '../../platform/actor.js';
import { AppError } from '../../platform/errors.js';
import { getUserQuota, setUserQuota } from '../../usage/manage-quotas.js';
import { rowsPerPage } from '../layout/pager.js';
import { Secret } from '../layout/secret.js';
import { action, page } from '../page.js';
import { newPassword, personName } from './person-parts.js';
import { Person } from './person-view.js';
import { unitsText } from '../layout/units.js';

const number = z.coerce.number().int().min(1).max(999_999_999_999_999);
const params = z.object({ id: number });
const few = { page: 1, limit: rowsPerPage };

export const personPage = page({
  path: '/people/:id',
  access: 'administer',
  params,
  async show(app, { actor, params: { id: userId } }) {
    const user = await getUser(app, actor, userId);
    const shown = {
      user,
      hasFactor: await hasSecondFactor(app, actor, userId),
      tokens: await listApiTokens(app, actor, { ...few, userId }),
      links: await listLinksOfUser(app, actor, { ...few, userId }),
      quota: await getUserQuota(app, actor, userId),
    };
    return { title: personName(user), section: '/people', body: <Person {...shown} /> };
  },
  actions: {
    save: action({
      params,
      form: z.object({
        email: z.string().max(320),
        display_name: z.string().trim().max(200),
        role: z.enum(roles),
      }),
      asksPassword: 'lately',
      done: 'saved',
      act: (app, { actor, params: { id }, form }) => updateUser(app, actor, { id, ...form }),
    }),
    disable: action({
      params,
      done: 'personDisabled',
      act: (app, { actor, params: { id } }) => updateUser(app, actor, { id, disabled: true }),
    }),
    enable: action({
      params,
      asksPassword: 'lately',
      done: 'personEnabled',
      act: (app, { actor, params: { id } }) => updateUser(app, actor, { id, disabled: false }),
    }),
    resetPassword: action({
      params,
      form: z.object({ password: newPassword }),
      asksPassword: 'lately',
      done: 'passwordSet',
      act: (app, { actor, params: { id }, form }) => resetPassword(app, actor, { id, ...form }),
    }),
    resetFactor: action({
      params,
      asksPassword: 'lately',
      done: 'factorReset',
      act: (app, { actor, params: { id } }) => resetSecondFactor(app, actor, id),
    }),
    mintToken: action({
      params,
      form: z.object({
        name: z.string().trim().min(1).max(200),
        days: z.literal('').or(z.coerce.number().int().min(1).max(maxTokenDays)),
      }),
      asksPassword: 'lately',
      async act(app, { actor, params: { id: userId }, form, say }) {
        const days = form.days === '' ? undefined : form.days;
        const { token, name } = await mintToken(app, actor, { userId, name: form.name, days });
        const { tokenTitle, tokenAbout, token: label } = say.people;
        const secret = { title: tokenTitle(name), about: tokenAbout, name: label, value: token };
        return {
          title: secret.title,
          section: '/people',
          isSecret: true,
          body: <Secret {...secret} back={`/people/${userId}`} />,
        };
      },
    }),
    revokeToken: action({
      params,
      form: z.object({ token: number }),
      asksPassword: 'lately',
      done: 'tokenRevoked',
      async act(app, { actor, params: { id }, form }) {
        const { user } = await getApiToken(app, actor, form.token);
        if (user.id !== id) throw new AppError('not_found', `There is no token ${form.token}.`);
        await revokeApiToken(app, actor, form.token);
      },
    }),
    endLink: action({
      params,
      form: z.object({ app: number }),
      done: 'linkEnded',
      act: (app, { actor, params: { id: userId }, form }) =>
        endLinksOfUser(app, actor, { userId, appId: form.app }),
    }),
    setQuota: action({
      params,
      form: z.object({ units: unitsText }),
      done: 'saved',
      act: (app, { actor, params: { id: userId }, form }) =>
        setUserQuota(app, actor, { userId, unitsPerMonth: form.units }),
    }),
  },
});
