import { visibilities } from '../../platform/actor.js';
import { defaultCrawlOptions } from '../../sources/site/site-page.js';
import { policies, type Policy, type Source } from '../../sources/source.js';
import { Checkbox, Choice, Field, Form, TextArea } from '../layout/form.js';
import { useShown } from '../layout/shown.js';

/** The settings of a source, as a form of its page. */
export function SourceForm({ source }: { source: Source }) {
  const { say, format } = useShown();
  const words = say.sources;
  const { options, kind, place, visibility } = source;
  const of = 'save';
  const number = (value: number | null) => (value === null ? '' : String(value));
  const hint = (byDefault: number) => words.numberHint(format.number(byDefault));
  return (
    <Form action={of}>
      {kind === 'site' ? (
        <Field of={of} name="address" label={say.labels.address} value={place} required />
      ) : null}
      <PolicyChoice of={of} value={source.policy} />
      <IntervalChoice of={of} value={source.everyMinutes} />
      <ReportChoice of={of} value={source.reportTo} />
      <Choice
        of={of}
        name="visibility"
        label={say.labels.tier}
        value={visibility ?? ''}
        options={[
          ['', say.labels.asSite],
          ...visibilities.map((one) => [one, say.tiers[one]] as const),
        ]}
      />
      <TextArea
        of={of}
        name="include"
        label={words.include}
        hint={words.patternsHint}
        value={options.include.join('\n')}
        rows={3}
      />
      <TextArea
        of={of}
        name="exclude"
        label={words.exclude}
        value={options.exclude.join('\n')}
        rows={3}
      />
      {kind === 'site' ? (
        <>
          <Field
            of={of}
            name="depth"
            label={words.depth}
            hint={hint(defaultCrawlOptions.depth)}
            value={number(options.depth)}
          />
          <Field
            of={of}
            name="most_pages"
            label={words.mostPages}
            hint={hint(defaultCrawlOptions.mostPages)}
            value={number(options.mostPages)}
          />
          <Checkbox of={of} name="render" label={words.render} checked={options.render} />
        </>
      ) : null}
      <button class="main">{say.labels.save}</button>
    </Form>
  );
}

export function PolicyChoice({ of, value }: { of: string; value: Policy }) {
  const words = useShown().say.sources;
  return (
    <Choice
      of={of}
      name="policy"
      label={words.policy}
      hint={words.policyHint}
      value={value}
      options={policies.map((one) => [one, words.policies[one]] as const)}
    />
  );
}

function ReportChoice({ of, value }: { of: string; value: number | null }) {
  const { say, signedIn } = useShown();
  const words = say.sources;
  const me = String(signedIn?.user.id);
  const chosen = value === null ? '' : String(value);
  const isOther = chosen !== '' && chosen !== me;
  return (
    <Choice
      of={of}
      name="report_to"
      label={words.reportTo}
      hint={words.reportToHint}
      value={chosen}
      options={[
        ['', words.reportToNobody],
        [me, words.reportToMe],
        ...(isOther ? [[chosen, words.reportToOther] as const] : []),
      ]}
    />
  );
}

export function IntervalChoice({ of, value }: { of: string; value: number | null }) {
  const { say, format } = useShown();
  const { every, everyMinutes, intervals } = say.sources;
  const chosen = value === null ? '' : String(value);
  const options = (['', '60', '1440', '10080'] as const).map(
    (one) => [one, intervals[one]] as const,
  );
  const isListed = options.some(([one]) => one === chosen);
  return (
    <Choice
      of={of}
      name="every_minutes"
      label={every}
      value={chosen}
      options={
        isListed
          ? options
          : [...options, [chosen, everyMinutes(format.number(value ?? 0))] as const]
      }
    />
  );
}
