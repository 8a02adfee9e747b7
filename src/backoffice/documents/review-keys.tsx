import { useShown } from '../layout/shown.js';

/** All keys of the review. Its button is shown with a script alone, since keys need one. */
export function KeysDialog() {
  const { say, at } = useShown();
  const words = say.documents.reviewing;
  const keys = [
    ['j s', words.keyNames.next],
    ['k b', words.keyNames.back],
    ['a', words.keyNames.accept],
    ['e', words.keyNames.edit],
    ['r', words.keyNames.reject],
    ['m', words.keyNames.merge],
    ['x', words.keyNames.split],
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
        {words.keys} <kbd>?</kbd>
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
        <p>
          <a href={at('/me')}>{words.keysOff}</a>
        </p>
        <form method="dialog">
          <button>{words.close}</button>
        </form>
      </dialog>
    </>
  );
}
