import type { ExplainedEntries } from '../../answers/explain-entries.js';
import { Field } from '../layout/form.js';
import { queryText } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import type { AskedAgain, Explained } from './explain-entry.js';

interface WhyNotProps {
  asked: AskedAgain;
  /** The typed text, by which an entry is looked for. */
  entry: string;
  explained: Explained | undefined;
}

/** Asks for an entry, and tells why an answer to the question uses it or not. */
export function WhyNot({ asked, entry, explained }: WhyNotProps) {
  const { say, at } = useShown();
  const words = say.trial;
  const { question, url, tier, language } = asked;
  const hidden = { question, url, tier, language };
  return (
    <section id="why-not">
      <h2>{words.whyNot}</h2>
      <form class="form" method="get" action={at('/try')} role="search">
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Field
          of="why"
          name="entry"
          label={words.entry}
          hint={words.whyNotHint}
          value={entry}
          type="search"
          required
        />
        <p class="buttons">
          <button>{words.find}</button>
        </p>
      </form>
      {explained?.kind === 'noPage' ? <p class="nothing">{words.noPage}</p> : null}
      {explained?.kind === 'choices' ? <Choices asked={asked} entries={explained.entries} /> : null}
      {explained?.kind === 'entry' ? <Reasons explained={explained.entry} /> : null}
    </section>
  );
}

function Choices({
  asked,
  entries,
}: {
  asked: AskedAgain;
  entries: Extract<Explained, { kind: 'choices' }>['entries'];
}) {
  const { say, at } = useShown();
  const words = say.trial;
  if (entries.length === 0) return <p class="nothing">{words.noEntry}</p>;
  return (
    <>
      <p>{words.which}</p>
      <ul>
        {entries.map(({ uuid, title, language }) => (
          <li key={uuid}>
            <a
              href={`${at('/try')}?${queryText({ ...asked, entry: uuid })}#why-not`}
              lang={language}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Reasons({ explained }: { explained: NonNullable<ExplainedEntries['explained']> }) {
  const { say, at, format } = useShown();
  const words = say.trial;
  const { entry, explanation } = explained;
  const { eligible, rank, reasons, judgement } = explanation;
  return (
    <div class="card">
      <p>
        <a href={at(`/knowledge/${entry.uuid}`)} lang={entry.language}>
          {entry.title}
        </a>
      </p>
      <ul>
        <li>{eligible ? words.mayBeUsed : words.mayNotBeUsed}</li>
        <li>{rank === null ? words.notAmong : words.found(format.number(rank))}</li>
        {reasons.map(({ code }) => (
          <li key={code}>{words.reasons[code]}</li>
        ))}
        {judgement === undefined ? null : (
          <li>
            {words.judgement(format.share(judgement.likelihood), format.share(judgement.needed))}
          </li>
        )}
        {reasons.length === 0 ? <li>{words.isUsed}</li> : null}
      </ul>
    </div>
  );
}
