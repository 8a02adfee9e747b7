import { z } from 'zod';
import {
  type BrowserSession,
  endOwnBrowserSession,
  listBrowserSessions,
  openBrowserSession,
  signOutEverywhere,
} from '../../accounts/users/browser-sessions.js';
import { minimumPasswordLength } from '../../accounts/users/create-user.js';
import { changePassword, updateOwnAccount } from '../../accounts/users/own-account.js';
import { appearances, pageLanguages, setPreferences } from '../../accounts/users/preferences.js';
import { clientAddress } from '../../platform/http/client-address.js';
import { Checkbox, Choice, Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { action, page } from '../page.js';
import { nameBrowser } from '../session/name-browser.js';
import { keepSession } from '../session/sign-in.page.js';

/** The empty choice of a form is null. */
const orNull = <T extends string>(values: readonly [T, ...T[]]) =>
  z.union([z.enum(values), z.literal('').transform(() => null)]);
const password = z.string().max(1000);

export const accountPage = page({
  path: '/me',
  access: 'staff',
  async show(app, { actor, say }) {
    const sessions = await listBrowserSessions(app, actor);
    return { title: say.account.title, body: <Account sessions={sessions} /> };
  },
  actions: {
    save: action({
      form: z.object({
        display_name: z.string().trim().min(1).max(200),
        language: orNull(pageLanguages),
        time_zone: z
          .string()
          .trim()
          .max(60)
          .transform((name) => name || null),
        appearance: orNull(appearances),
        shortcuts: z
          .literal('on')
          .optional()
          .transform((on) => on === 'on'),
      }),
      done: 'saved',
      async act(app, { actor, form }) {
        const { displayName, ...preferences } = form;
        await setPreferences(app, actor, preferences);
        await updateOwnAccount(app, actor, { displayName });
      },
    }),
    changePassword: action({
      form: z.object({
        current_password: password,
        new_password: password,
        code: z
          .string()
          .max(40)
          .transform((code) => code || undefined),
      }),
      done: 'passwordChanged',
      async act(app, { actor, form, ctx }) {
        const browser = nameBrowser(ctx.get('User-Agent'));
        const given = { ...form, address: clientAddress(ctx) };
        const opened = await changePassword(app, actor, given, (app, user) =>
          openBrowserSession(app, user, { browser }),
        );
        await keepSession(app, ctx, opened);
      },
    }),
    endSession: action({
      form: z.object({ family: z.string().max(100) }),
      done: 'sessionEnded',
      act: (app, { actor, form }) => endOwnBrowserSession(app, actor, form.family),
    }),
    signOutEverywhere: action({
      async act(app, { actor }) {
        await signOutEverywhere(app, actor);
        return { to: '/sign-out' };
      },
    }),
  },
});

function Account({ sessions }: { sessions: BrowserSession[] }) {
  const { say, at } = useShown();
  return (
    <>
      <h1>{say.account.title}</h1>
      <Display />
      <Password />
      <section>
        <h2>{say.factor.title}</h2>
        <p>
          <a href={at('/me/second-factor')}>{say.factor.look}</a>
        </p>
      </section>
      <Sessions sessions={sessions} />
    </>
  );
}

function Display() {
  const { say, signedIn } = useShown();
  if (signedIn === undefined) return null;
  const { user, preferences } = signedIn;
  const words = say.account;
  return (
    <section>
      <h2>{words.display}</h2>
      <Form action="save">
        <Field
          of="save"
          name="display_name"
          label={say.labels.name}
          hint={words.nameHint}
          value={user.displayName}
          required
          autoComplete="name"
        />
        <Choice
          of="save"
          name="language"
          label={say.labels.language}
          value={preferences.language ?? ''}
          options={[
            ['', words.asBrowser],
            ...pageLanguages.map((one) => [one, say.languages[one]] as const),
          ]}
        />
        <Field
          of="save"
          name="time_zone"
          label={words.timeZone}
          hint={words.timeZoneHint}
          value={preferences.timeZone ?? ''}
          list="time-zones"
        />
        <datalist id="time-zones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <Choice
          of="save"
          name="appearance"
          label={words.appearance}
          value={preferences.appearance ?? ''}
          options={[
            ['', words.asSystem],
            ['light', words.light],
            ['dark', words.dark],
          ]}
        />
        <Checkbox
          of="save"
          name="shortcuts"
          label={words.shortcuts}
          checked={preferences.shortcuts}
        />
        <button class="main">{say.labels.save}</button>
      </Form>
    </section>
  );
}

function Password() {
  const { say, signedIn } = useShown();
  const words = say.account;
  const of = 'changePassword';
  return (
    <section>
      <h2>{say.labels.password}</h2>
      <Form action={of}>
        {/* Password managers store a new password under this name. */}
        <input
          type="email"
          class="absent"
          autoComplete="username"
          readOnly
          value={signedIn?.user.email}
          aria-hidden="true"
          tabIndex={-1}
        />
        <Field
          of={of}
          name="current_password"
          label={words.currentPassword}
          type="password"
          required
          autoComplete="current-password"
        />
        <Field
          of={of}
          name="new_password"
          label={words.newPassword}
          type="password"
          required
          autoComplete="new-password"
          hint={words.newPasswordHint(minimumPasswordLength)}
        />
        <Field
          of={of}
          name="code"
          label={words.code}
          hint={say.labels.codeHint}
          autoComplete="one-time-code"
        />
        <button>{words.changePassword}</button>
      </Form>
    </section>
  );
}

function Sessions({ sessions }: { sessions: BrowserSession[] }) {
  const { say, signedIn } = useShown();
  const words = say.account;
  return (
    <section>
      <h2>{words.sessions}</h2>
      <Table
        caption={words.sessions}
        columns={[words.browser, say.labels.since, words.lastSeen, '']}
      >
        {sessions.map(({ family, browser, createdAt, seenAt }) => (
          <Row
            key={family}
            name={browser}
            cells={[
              <Time iso={createdAt} />,
              <Time iso={seenAt} />,
              family === signedIn?.family ? (
                words.here
              ) : (
                <Form action="endSession">
                  <input type="hidden" name="family" value={family} />
                  <button class="quiet" aria-label={words.endOf(browser)}>
                    {say.labels.end}
                  </button>
                </Form>
              ),
            ]}
          />
        ))}
      </Table>
      <Form action="signOutEverywhere">
        <p class="hint">{words.everywhereHint}</p>
        <button>{words.everywhere}</button>
      </Form>
    </section>
  );
}
