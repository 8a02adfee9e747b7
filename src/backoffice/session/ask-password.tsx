import { proveSession } from '../../accounts/users/browser-sessions.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { clientAddress } from '../../platform/http/client-address.js';
import { Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import type { PageRequest, View } from '../page.js';

/** The longest time between a form and the password that it waits for. */
const patienceMs = 600_000;

type Request = PageRequest<unknown, unknown>;
type Values = Record<string, string>;

interface HeldForm {
  /** The address that the form was sent to. */
  path: string;
  values: Values;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * The page that asks for the person's own password before a form is carried out. It carries the form sealed, because the
 * form may hold a password too, and so that nobody else can put a form behind this page.
 */
export async function passwordPage(
  app: App,
  { ctx, say, signedIn }: Pick<Request, 'ctx' | 'say' | 'signedIn'>,
  values: Values,
): Promise<View> {
  const held: HeldForm = {
    path: ctx.path,
    values,
    until: app.clock.now().getTime() + patienceMs,
  };
  const sealed = await app.secrets.seal(JSON.stringify(held), purposeFor(signedIn));
  return { title: say.prove.title, body: <AskPassword held={sealed} /> };
}

/** The form that waited for the password, or the form itself if none did. Refuses one that waited too long. */
export async function openHeldForm(
  app: App,
  { ctx, signedIn }: Pick<Request, 'ctx' | 'signedIn'>,
  sent: Values,
): Promise<Values> {
  const sealed = sent['held'];
  if (sealed === undefined) return sent;
  const text = await app.secrets.open(sealed, purposeFor(signedIn)).catch(() => undefined);
  const held = text === undefined ? undefined : (JSON.parse(text) as HeldForm);
  const isOpen = held !== undefined && held.until > app.clock.now().getTime();
  if (isOpen && held.path === ctx.path) return held.values;
  throw new AppError('invalid_request', 'This took too long. Open the page again.', {
    reason: { is: 'form_too_late' },
  });
}

/** Checks the password that was typed. Errors: those of verifyOwnPassword. */
export async function provePassword(app: App, request: Request, sent: Values): Promise<void> {
  const { actor, ctx, signedIn } = request;
  if (signedIn === undefined) return;
  await proveSession(app, actor, {
    family: signedIn.family,
    currentPassword: sent['current_password'] ?? '',
    // An empty field is no code.
    code: sent['code']?.trim() || undefined,
    address: clientAddress(ctx),
  });
}

function purposeFor(signedIn: Request['signedIn']): string {
  return `backoffice form of session ${signedIn?.family ?? ''}`;
}

function AskPassword({ held }: { held: string }) {
  const { say, at, path } = useShown();
  const words = say.prove;
  // The fault names the form that waits, so that what is wrong with the password is shown here.
  const of = useShown().fault?.action ?? 'prove';
  return (
    <section class="sign-in">
      <h1>{words.title}</h1>
      <p>{words.about}</p>
      <Form action={of}>
        <input type="hidden" name="held" value={held} />
        <Field
          of={of}
          name="current_password"
          label={say.labels.yourPassword}
          type="password"
          required
          autoComplete="current-password"
          autoFocus
        />
        <Field
          of={of}
          name="code"
          label={words.code}
          hint={say.labels.codeHint}
          autoComplete="one-time-code"
        />
        <button class="main">{words.button}</button>
      </Form>
      <p class="hint">{words.byProvider}</p>
      <p>
        <a href={at(path)}>{say.labels.cancel}</a>
      </p>
    </section>
  );
}
