import type { SetupStep } from '../../operations/list-setup-steps.js';
import { Badge } from '../layout/badge.js';
import { Form } from '../layout/form.js';
import { navigation } from '../layout/navigation.js';
import { useShown } from '../layout/shown.js';

const pathOf: Record<SetupStep['name'], string> = {
  ...{ domain: '/sites', document: '/documents', review: '/documents', answer: '/try' },
  ...{ key: '/sites', seen: '/sites', person: '/people', messages: '/webhooks' },
  backup: '/system/backups',
};

/** What a new installation still needs. Each step leads to its page, where there is one. */
export function Checklist({ steps }: { steps: SetupStep[] }) {
  const { say, format, signedIn, at } = useShown();
  const words = say.checklist;
  const groups = signedIn === undefined ? [] : navigation(signedIn.user.role);
  const pages = groups.flatMap(({ links }) => links.map(({ path }) => path));
  const isOpen = (path: string) => pages.some((one) => path === one || path.startsWith(`${one}/`));
  const done = steps.filter((step) => step.done).length;
  return (
    <section class="panel checklist">
      <div class="head">
        <h2>{words.title}</h2>
        <Form action="hideChecklist">
          <button class="quiet">{words.hide}</button>
        </Form>
      </div>
      <p class="bar">
        <progress max={steps.length} value={done} aria-label={words.title} />
        {words.progress(format.number(done), format.number(steps.length))}
      </p>
      <ol>
        {steps.map(({ name, done }) => {
          const [title, hint] = words.steps[name];
          const path = pathOf[name];
          return (
            <li key={name}>
              <Badge {...(done ? { tone: 'good' } : {})} text={done ? words.done : words.open} />
              <span>
                {isOpen(path) ? <a href={at(path)}>{title}</a> : title}
                {done ? null : <span class="hint"> {hint}</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
