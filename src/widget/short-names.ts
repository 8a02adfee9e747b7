/**
 * Names of properties that the scripts of the widget shorten: compression can't make a name that stands there once or
 * twice any smaller. Only names that nothing outside of these scripts reads or writes: none of the browser, of the
 * service's documents or of the page's options, and none that is looked up by a text. Some of the last line are names of
 * the browser as well, but on nothing that the widget uses. Add new ones at the end, and leave
 * a name that goes in its place: a page that has loaded the first script may get the others from a newer version.
 */
const names = `
  carrier setMessage emit texts newConversation loadHistory loadPages keepVisitor isCancelled answerKey
  setVisible waitingFor readPage onStored isOnline openConversation reply askPerson openChannel suggest proceed recover
  onAnswered onOpen isElsewhere isSignedIn signedIn onClose isAwake copyLabel createdAt onReached onNetwork onNeeded
  isBusy newest notice isAnswer isKnown textsOf onGone cited forget hear
  markNotificationRead loadRequestAnswers deleteConversation signOut readConversations listConversations readConversation
  keepConversation openBrowserHost fillSmallScreen loadHostTheme findQuestion readMessages createPanel
  onOtherTab byRequests fillPerson answerHelp openSocket greet nameTexts updatedAt nextFrame learnOnce isPainted mergeInto
  interrupt onMessage onRefused converse onAccent tellRead tryAgain markRead replyOf onEmpty catchUp onState onFrame
  giveUp refuse ground reveal onTold onRead unsent toEnd lose idOf asIs
  ServiceError answerText noticeOf timeText waitText nameButton setText citation
  unconfirmed signInWrong rateLimited whatWrong askPersonEmail emailWrong deleteThis signedInAs notHelpful copyAnswer
  helpful thanks quoted
  isNewHere forgetEarlier hasEarlier continueEarlier settleEarlier selectedNow
  state node session restoring connection update spoken home leave store popup opener latest
`;

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The short form of each of the names. */
export const shortNames: Readonly<Record<string, string>> = Object.fromEntries(
  names
    .trim()
    .split(/\s+/)
    .map((name, at) => [name, shortName(at)]),
);

/** One letter, then two, of which the first is a capital: no word of the sources is one. */
function shortName(at: number): string {
  const last = letters.charAt(at % letters.length);
  return at < letters.length ? last : letters.charAt(25 + at / letters.length) + last;
}
