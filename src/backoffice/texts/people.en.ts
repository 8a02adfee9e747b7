export const peopleEn = {
  title: 'People',
  none: 'There are no accounts yet.',
  add: 'Add a person',
  search: 'Name or e-mail',
  nameHint: 'Leave it empty to use the beginning of the address.',
  role: 'Role',
  roleHint:
    'Users ask. Operators also look after knowledge and questions. Admins also set up everything.',
  states: { active: 'Active', disabled: 'Disabled' },
  lastSeen: 'Last seen',
  never: 'never',
  passwordHint: (least: number) =>
    `At least ${least} characters. Tell the person, who can change it under “My account”.`,
  account: 'Account',
  access: 'Access',
  disable: 'Disable the account',
  disableHint: 'Ends all sessions and tokens of this person at once.',
  enable: 'Enable the account',
  enableHint: 'The person can sign in again. Ended sessions and tokens stay ended.',
  resetPassword: 'Set a new password',
  resetHint: (least: number) =>
    `At least ${least} characters. All sessions and tokens of this person end.`,
  factor: 'Second factor',
  factorOff: 'None',
  resetFactorHint:
    'For a person who lost their authenticator. All their sessions end. Make sure that it is this person who asks.',
  tokens: 'Tokens',
  tokensHint: 'A token gives a program the rights of this person.',
  noTokens: 'This person has no tokens.',
  token: 'Token',
  tokenName: 'Purpose',
  tokenNameHint: 'For example the job that uses it.',
  tokenTitle: (name: string) => `The token “${name}”`,
  tokenAbout:
    'Copy the token now. It is shown only this once. Programs send it as “Authorization: Bearer …”.',
  makeToken: 'Make a token',
  days: 'Days until it expires',
  daysHint: 'Leave it empty for a token that never expires.',
  made: 'Made',
  lastUsed: 'Last used',
  expires: 'Expires',
  expired: 'Expired',
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke the token ${name}`,
  revoked: 'Revoked',
  links: 'Linked sites',
  linksHint: 'Sites on which this person uses the widget with this account.',
  noLinks: 'No site is linked to this account.',
  site: 'Site',
  calledThere: 'Known there as',
  endLinkOf: (site: string) => `End the link to ${site}`,
  data: {
    title: 'A person’s data',
    ofPerson: 'Export or erase this person’s data',
    about: 'For people who ask what is stored about them, or want it erased.',
    person: 'Person',
    personHint:
      'An e-mail address, or user:7, end_user:12, visitor:… or conversation:… as conversations and changes name them.',
    export: 'Export',
    exportNow: 'Download the data',
    erase: 'Erase',
    eraseNow: 'Erase for good',
    eraseWarning:
      'Deletes the account, its conversations, questions, opinions and tokens. Changes and use stay on record without the person. This can’t be undone.',
    again: 'Type the person again',
    againHint: 'As above. Your own password is asked for next.',
    erased: 'The person’s data is erased',
    erasedRows: (count: string) => `Rows that were deleted or made anonymous: ${count}. Found as:`,
    linked: (names: string) => `The same person is also known as ${names}. That data stays.`,
    entriesStay:
      'These published entries answer the person’s questions. They stay. Read them for personal data:',
    backups: 'Backups that were made before still hold the data.',
    notRewritten: 'The server removes the last traces from the database file within the hour.',
  },
};

/** The question for one's own password before a change that a stolen session must not make. */
export const proveEn = {
  title: 'Confirm with your password',
  about: 'This change needs your own password. Nothing has been changed yet.',
  code: 'Code of your authenticator app',
  button: 'Confirm',
  byProvider:
    'If your account has no password, sign out, sign in again by your identity provider, and repeat the change.',
  kept: 'I have copied it',
};

export const peopleDoneEn = {
  personAdded: 'The account is there. The person can sign in now.',
  personDisabled: 'The account is disabled. All sessions and tokens have ended.',
  personEnabled: 'The account is enabled.',
  passwordSet: 'The new password is set. All sessions and tokens of this person have ended.',
  factorReset: 'The second factor is removed. All sessions of this person have ended.',
  tokenRevoked: 'The token is revoked. Programs can’t use it any more.',
  linkEnded: 'The link has ended.',
};

/** The words of the second factor of one’s own account. */
export const factorEn = {
  title: 'Second factor',
  look: 'Set up or remove the second factor',
  about:
    'With a second factor, signing in takes your password and a code of an authenticator app on your phone.',
  off: 'Not set up',
  required: 'Your role needs one.',
  renew: 'Replace the recovery codes',
  renewHint: 'The old recovery codes end at once.',
  endHint: 'All your sessions end, this one too. Then sign in again with your password.',
  begin: 'Set up the second factor',
  beginHint: 'You get a secret for your authenticator app next.',
  code: 'Code of the authenticator app, or a recovery code',
  addHint:
    'Add an account to your authenticator app, and type this secret there. It is shown only this once.',
  open: 'Open it in the authenticator app of this device',
  confirm: 'Confirm with the first code',
  confirmHint: 'Type the code that the app shows now. All your other sessions end.',
  codes: 'Recovery codes',
  codesHint:
    'Keep these codes in a safe place. Each replaces a code of the app once, if you lose your phone. They are shown only this once.',
  codesLeft: (count: number) =>
    count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`,
};
