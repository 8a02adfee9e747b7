import type { ComponentChildren } from 'preact';
import { visibilities } from '../../platform/actor.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { TickAll } from '../layout/tick.js';
import { filterText, type EntryFilter } from './entry-list.js';

interface ChangeFormProps {
  filter: EntryFilter;
  /** How many entries fit the filter. */
  total: number;
  /** The entries with their boxes to tick. */
  children: ComponentChildren;
}

/** The form around a list of entries: what can be done to those that are ticked. */
export function ChangeForm({ filter, total, children }: ChangeFormProps) {
  const { say, format, at } = useShown();
  const words = say.knowledge.bulk;
  return (
    <Form action="change" to="/knowledge/change">
      <input type="hidden" name="list" value={filterText(filter)} />
      {children}
      <div class="bulk">
        <TickAll />
        <ChangeButtons legend={words.ticked} />
        <a href={at(`/knowledge/change?${filterText(filter)}`)}>
          {words.changeAll(format.number(total))}
        </a>
      </div>
    </Form>
  );
}

/** The buttons of a form that changes many entries. The last one says first what it takes away. */
export function ChangeButtons({ legend }: { legend: string }) {
  const { say } = useShown();
  const words = say.knowledge;
  const tiers = [
    ...visibilities.map((one) => [one, say.tiers[one]] as const),
    ['as_app', say.labels.asSite] as const,
  ];
  return (
    <div class="changes" role="group" aria-labelledby="changes">
      <span id="changes" class="hint">
        {legend}
      </span>
      <button name="change" value="publish">
        {words.publish}
      </button>
      <button name="change" value="take_back">
        {words.takeBack}
      </button>
      <span class="joined">
        <label for="change-tier">{say.labels.tier}</label>
        <select id="change-tier" name="tier">
          {tiers.map(([tier, text]) => (
            <option key={tier} value={tier}>
              {text}
            </option>
          ))}
        </select>
        <button name="change" value="tier">
          {words.bulk.set}
        </button>
      </span>
      <details class="more">
        <summary>{say.labels.delete}</summary>
        <p>{words.deleteWarning}</p>
        <button name="change" value="delete">
          {words.deleteSurely}
        </button>
      </details>
    </div>
  );
}
