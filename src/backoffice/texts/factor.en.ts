export const factorEn = {
  title: 'Second factor',
  look: 'Set up or remove the second factor',
  about:
    'With a second factor, signing in takes your password and a code of an authenticator app on your phone.',
  on: 'Set up',
  off: 'Not set up',
  required: 'Your role needs one.',
  renew: 'Replace the recovery codes',
  renewHint: 'The old recovery codes end at once.',
  end: 'Remove the second factor',
  endHint: 'All your sessions end, this one too. Then sign in again with your password.',
  begin: 'Set up the second factor',
  beginHint: 'You get a secret for your authenticator app next.',
  password: 'Your password',
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
