/** Where the parts of a page stand that are sent later (View.coming). No text of others can look like it. */
export const comingPlace = '<template data-coming="here"></template>';

export function Coming() {
  return <template data-coming="here" />;
}
