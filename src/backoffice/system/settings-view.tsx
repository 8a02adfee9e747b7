import type { EffectiveSetting } from '../../operations/config/list-effective-settings.js';
import { Filters, Nothing } from '../layout/filters.js';
import { Choice, Field } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { BelowSystem } from './below-system.js';

/** The filters of the list: settings that are not the default, or come from one place. */
export const origins = ['changed', 'file', 'environment', 'default'] as const;

interface SettingsProps {
  settings: EffectiveSetting[];
  query: { name: string; from: (typeof origins)[number] | '' };
  file: string | undefined;
}

export function Settings({ settings, query, file }: SettingsProps) {
  const { say, format } = useShown();
  const words = say.system.settings;
  const of = 'filter';
  const choices = origins.map((origin) => [origin, words.sources[origin]] as const);
  return (
    <>
      <BelowSystem words={words} what="assistant config set" />
      <p class="hint">
        {file === undefined ? (
          words.noFile
        ) : (
          <>
            {words.file} <code>{file}</code>
          </>
        )}
      </p>
      <Filters active={query.name !== '' || query.from !== ''}>
        <Field
          of={of}
          name="name"
          label={say.labels.name}
          hint={words.nameHint}
          value={query.name}
          type="search"
        />
        <Choice
          of={of}
          name="from"
          label={words.from}
          value={query.from}
          options={[['', say.list.all], ...choices]}
        />
      </Filters>
      {settings.length === 0 ? (
        <Nothing active text="" />
      ) : (
        <div class="verbatim">
          <p class="hint">{words.count(format.number(settings.length))}</p>
          <Table caption={words.title} columns={[say.labels.name, words.value, words.from]}>
            {settings.map((setting) => (
              <Row
                key={setting.path}
                name={<code>{setting.path}</code>}
                cells={[<Value of={setting} />, <Source of={setting} />]}
              />
            ))}
          </Table>
        </div>
      )}
    </>
  );
}

function Value({ of: { value, isOutdated } }: { of: EffectiveSetting }) {
  const words = useShown().say.system.settings;
  return (
    <>
      {value === '' ? <span class="hint">{words.empty}</span> : <code>{value}</code>}
      {isOutdated ? <p class="note-below">{words.outdated}</p> : null}
    </>
  );
}

function Source({ of: { from, line, variable } }: { of: EffectiveSetting }) {
  const { say, format } = useShown();
  const words = say.system.settings;
  if (from === 'environment') {
    return (
      <>
        {words.sources.environment}: <code>{variable}</code>
      </>
    );
  }
  if (from === 'file' && line !== undefined) return <>{words.line(format.number(line))}</>;
  return <span class="hint">{words.sources[from]}</span>;
}
