import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { batchPath } from './batch-params.js';

interface KeysProps {
  isOn: boolean;
  batchId: string;
  /** The draft that is shown. */
  entry: number;
}

/** All keys of the review, and their switch. Its button is shown with a script alone, since keys need one. */
export function KeysDialog({ isOn, batchId, entry }: KeysProps) {
  const { say } = useShown();
  const words = say.documents.reviewing;
  const keys = [
    ['j s', words.keyNames.next],
    ['k b', words.keyNames.back],
    ['a', words.keyNames.accept],
    ['e', words.keyNames.edit],
    ['r', words.keyNames.reject],
    ['m', words.keyNames.merge],
    ['x', words.keyNames.split],
    ['c', words.keyNames.replace],
    ['t u', words.keyNames.takeBack],
    ['o', words.keyNames.old],
    ['[', words.panel.before],
    [']', words.panel.after],
    ['l', words.keyNames.rest],
    ['/', say.search.placeholder],
    ['?', words.keyNames.help],
  ] as const;
  return (
    <>
      <button class="quiet scripted" type="button" data-open="keys" data-keys="?">
        {words.keys} {isOn ? <kbd>?</kbd> : null}
      </button>
      <dialog id="keys" aria-labelledby="keys-title">
        <h2 id="keys-title">{words.keys}</h2>
        <dl class="keys">
          {keys.map(([signs, name]) => (
            <div key={signs}>
              <dt>
                {signs.split(' ').map((sign) => (
                  <kbd key={sign}>{sign}</kbd>
                ))}
              </dt>
              <dd>{name}</dd>
            </div>
          ))}
        </dl>
        <p>{isOn ? words.keysAreOn : words.keysAreOff}</p>
        <div class="buttons">
          {/* First, because the dialog gives it the focus: Enter must not turn the keys off. */}
          <form method="dialog">
            <button>{words.close}</button>
          </form>
          <Form action="keys" to={`${batchPath(batchId)}/review`} data-whole="">
            <input type="hidden" name="entry" value={entry} />
            <input type="hidden" name="shortcuts" value={isOn ? 'off' : 'on'} />
            <button>{isOn ? words.keysOff : words.keysOn}</button>
          </Form>
        </div>
      </dialog>
    </>
  );
}
