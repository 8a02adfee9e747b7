import type { Context } from 'koa';
import { z } from 'zod';
import { openBrowserSession } from '../../accounts/users/browser-sessions.js';
import { useSignInLink } from '../../accounts/users/sign-in-links.js';
import { AppError } from '../../platform/errors.js';
import { isLocal } from '../../platform/http/client-address.js';
import { localHost } from '../../tenancy/app-of-origin.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { action, page } from '../page.js';
import { nameBrowser } from './name-browser.js';
import { keepSession } from './sign-in.page.js';

const token = z.string().min(1).max(100);

/** Where a link of `assistant open backoffice` leads. Only its button signs in: a GET changes nothing. */
export const signInLinkPage = page({
  path: '/sign-in/link',
  access: 'anyone',
  query: z.object({ token }),
  show(_app, { ctx, say, query }) {
    requireThisMachine(ctx);
    const body = <Link token={query.token} />;
    return Promise.resolve({ title: say.labels.signIn, body });
  },
  actions: {
    useLink: action({
      form: z.object({ token }),
      async act(app, { ctx, form }) {
        requireThisMachine(ctx);
        const browser = nameBrowser(ctx.get('User-Agent'));
        const opened = await useSignInLink(app, form.token, (app, user) =>
          openBrowserSession(app, user, { browser }),
        );
        await keepSession(app, ctx, opened);
        return { to: '/' };
      },
    }),
  },
});

/** Errors: `not_found` for requests from other machines, so that a link is of no use elsewhere. */
function requireThisMachine(ctx: Context): void {
  if (isLocal(ctx) && localHost.test(ctx.hostname)) return;
  throw new AppError('not_found', 'There is no such page.');
}

function Link({ token }: { token: string }) {
  const { say, at } = useShown();
  const words = say.signIn;
  return (
    <section class="sign-in">
      <h1>{say.labels.signIn}</h1>
      <p>{words.linkAbout}</p>
      <Form action="useLink" to={`/sign-in/link?token=${encodeURIComponent(token)}`}>
        <input type="hidden" name="token" value={token} />
        <button class="main">{say.labels.signIn}</button>
      </Form>
      <p class="hint">
        <a href={at('/sign-in')}>{words.byPassword}</a>
      </p>
    </section>
  );
}
