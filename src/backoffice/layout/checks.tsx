import type { Check } from '../../operations/doctor.schema.js';
import type { Texts } from '../texts/en.js';
import { tellFinding } from '../texts/findings.js';
import { Badge, type Tone } from './badge.js';
import { useShown } from './shown.js';

type Shown = Omit<Check, 'remedy'> & { remedy?: string | null };

export const tones = { ok: 'good', warning: 'warning', failed: 'bad' } as const satisfies Record<
  Check['status'],
  Tone
>;

/** The pages on which findings are mended, or which show the settings that they are about. */
const pagesOf: [names: readonly string[], path: string, text: (say: Texts) => string][] = [
  [['queue'], '/documents?status=failed', (say) => say.nav.documents],
  [['sources'], '/sources', (say) => say.sources.title],
  [['backup'], '/system/backups', (say) => say.system.backups.title],
  [['proxy'], '/system/settings?name=server.', (say) => say.system.settings.title],
  [['mail'], '/system/settings?name=mail.', (say) => say.system.settings.title],
  [
    ['ollama', 'models', 'window', 'memory', 'vectors', 'chat model', 'embedding model'],
    '/system/settings?name=ollama.',
    (say) => say.system.settings.title,
  ],
];

/** Findings, each with the line that mends it. */
export function Checks({ checks }: { checks: readonly Shown[] }) {
  const { say, at } = useShown();
  return (
    <ul class="checks">
      {checks.map((check, index) => {
        const { name, status, remedy } = check;
        const told = tellFinding(say.findings, check)?.remedy;
        const page = pagesOf.find(([names]) => status !== 'ok' && names.includes(name));
        return (
          <li key={index}>
            <Badge tone={tones[status]} text={say.system.statuses[status]} />
            <div>
              <CheckLine check={check} />
              {remedy === null || remedy === undefined ? null : (
                <Remedy text={told ?? remedy} isEnglish={told === undefined} />
              )}
            </div>
            {page === undefined ? null : <a href={at(page[1])}>{page[2](say)}</a>}
          </li>
        );
      })}
    </ul>
  );
}

/** The subject and the text of a finding, in the language of the page where that is known. */
export function CheckLine({ check }: { check: Shown }) {
  const { say } = useShown();
  const { name, finding } = check;
  const names: Readonly<Record<string, string>> = say.system.checks;
  // `organization Acme` and `keys of Docs` name a thing besides.
  const [, kind = '', thing] = /^(organization|keys(?= of)) (?:of )?(.*)$/s.exec(name) ?? [];
  const known = thing === undefined ? names[name] : `${names[kind] ?? kind} ${thing}`;
  const told = tellFinding(say.findings, check)?.finding;
  return (
    <>
      <strong lang={known === undefined ? 'en' : undefined}>{known ?? name}:</strong>{' '}
      <span lang={told === undefined ? 'en' : undefined}>{told ?? finding}</span>
    </>
  );
}

/** A remedy. Most of them end with a command, which is set apart, to be copied. */
function Remedy({ text, isEnglish }: { text: string; isEnglish: boolean }) {
  const [, before, command] =
    /^(.*: )((?:assistant|chmod|ollama|sudo|systemctl|timedatectl) (?:[^:]|:\/\/|:\d)+)$/s.exec(
      text,
    ) ?? ['', text, undefined];
  return (
    <p class="remedy" lang={isEnglish ? 'en' : undefined}>
      {before}
      {command === undefined ? null : <code>{command}</code>}
    </p>
  );
}
