import { useShown } from './shown.js';

/** The field that finds everything. The key `/` leads to it. */
export function SearchBox({ value = '' }: { value?: string }) {
  const { say, at, signedIn } = useShown();
  const words = say.search;
  return (
    <form
      class="find"
      role="search"
      aria-label={words.title}
      action={at('/search')}
      data-shortcuts={signedIn?.preferences.shortcuts === true ? 'on' : 'off'}
    >
      <input
        type="search"
        name="q"
        value={value}
        maxLength={200}
        placeholder={words.placeholder}
        aria-label={words.placeholder}
        aria-keyshortcuts="/"
        data-keys="/"
      />
      <button>{words.go}</button>
    </form>
  );
}
