import { z } from 'zod';
import { openBrowserSession } from '../../accounts/users/browser-sessions.js';
import {
  beginSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from '../../accounts/users/manage-second-factor.js';
import { AppError, refusedField } from '../../platform/errors.js';
import { clientAddress } from '../../platform/http/client-address.js';
import { action, page, type PageRequest, type View } from '../page.js';
import { nameBrowser } from '../session/name-browser.js';
import { keepSession } from '../session/sign-in.page.js';
import { Begun, RecoveryCodes, SecondFactor } from './second-factor-view.js';

const password = z.string().max(1000);
const withCode = z.object({ password, code: z.string().trim().max(40) });
const section = '/me';

export const secondFactorPage = page({
  path: '/me/second-factor',
  access: 'staff',
  async show(app, { actor, say }) {
    const state = await getSecondFactor(app, actor);
    return { title: say.factor.title, section, body: <SecondFactor state={state} /> };
  },
  actions: {
    begin: action({
      form: z.object({ password }),
      async act(app, request) {
        const begun = await own(beginSecondFactor(app, credentialsOf(request)));
        const title = request.say.factor.title;
        return { title, section, isSecret: true, body: <Begun {...begun} /> };
      },
    }),
    confirm: action({
      form: withCode,
      async act(app, request) {
        const { ctx, say } = request;
        const browser = nameBrowser(ctx.get('User-Agent'));
        const { recoveryCodes, session } = await own(
          enableSecondFactor(app, credentialsOf(request), (app, user) =>
            openBrowserSession(app, user, { browser }),
          ),
        );
        await keepSession(app, ctx, session);
        return codesOf(say.factor.codes, recoveryCodes);
      },
    }),
    renew: action({
      form: withCode,
      async act(app, request) {
        const codes = await own(renewRecoveryCodes(app, credentialsOf(request)));
        return codesOf(request.say.factor.codes, codes);
      },
    }),
    end: action({
      form: withCode,
      async act(app, request) {
        await own(disableSecondFactor(app, credentialsOf(request)));
        return { to: '/sign-in' };
      },
    }),
  },
});

function codesOf(title: string, codes: string[]): View {
  const body = <RecoveryCodes codes={codes} />;
  return { title, section, isSecret: true, body };
}

function credentialsOf({
  ctx,
  signedIn,
  form,
}: Pick<PageRequest<unknown, unknown>, 'ctx' | 'signedIn'> & {
  form: { password: string; code?: string };
}) {
  return { ...form, email: signedIn?.user.email ?? '', address: clientAddress(ctx) };
}

/** A wrong password is a fault of the form: the session goes on. */
async function own<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined;
    if (code === 'unauthenticated') {
      throw refusedField('password', 'is not right', 'unprocessable', { is: 'wrong_password' });
    }
    if (code === 'second_factor_required') {
      throw refusedField('code', 'is not right, or was used before', 'unprocessable', {
        is: 'wrong_code',
      });
    }
    throw error;
  }
}
