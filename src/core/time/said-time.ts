import { partsOf } from './time-words.ts';
import { zoneWords } from './zone.ts';

/** Finds where words speak of time, rightly or wrongly. The readers judge them: `readWhen` and `readWeekly`. */

export interface SaidTime {
  /** The position behind its last word. */
  readonly end: number;
  /** `now` changes nothing, `later` lacks its hour, and `span` says neither from when nor until when. */
  readonly kind: 'now' | 'later' | 'span' | 'window' | 'every' | 'until' | 'at';
  /** The values of the options: `at`, `every`, `until`, `window`. */
  readonly words: Readonly<Partial<Record<'at' | 'every' | 'until' | 'window', string>>>;
}

const weekday = '(?:sun|mon|tue|tues|wed|wednes|thu|thurs?|fri|sat|satur)(?:day)?';
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const nth = '\\d{1,2}(?:st|nd|rd|th)?';
const date = `\\d{4}[-/]\\d\\d[-/]\\d\\d(?:t\\d[\\d:.]*)?(?:z|[+-]\\d\\d:\\d\\d)?|\\d{1,2}/\\d{1,2}(?:/\\d{4})?|\\d{1,2}\\.\\d{1,2}\\.(?:\\d{4})?|\\d{1,2}\\.\\d{1,2}(?= \\d\\d?:\\d\\d)|${nth}(?: of)? ${month}(?: \\d{4})?|${month} ${nth}(?: \\d{4})?|the \\d{1,2}(?:st|nd|rd|th)`;
const unit = '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?)';
const small = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';
const clock = `\\d{1,2}:\\d\\d(?::\\d\\d)?(?: ?[ap]m|z|[+-]\\d\\d:\\d\\d| uhr)?|\\d{1,2}(?:\\.\\d\\d)? ?[ap]\\.?m|\\d{4}z|\\d{1,2}h\\d\\d|\\d{1,2} (?:o'clock|uhr)|noon|midday|midnight|(?:half(?: past)?|quarter (?:past|to)) (?:\\d{1,2}|${small}|midnight|noon|midday)(?![^ ])(?! ${unit})`;
const day = `today|tonight|tom+or+ow|tmrw|yesterday|overnight|(?:the )?day after tomorrow|(?:next|this|coming|last) (?:${weekday}|week|weekend|month|morning|afternoon|evening|night)|${weekday}`;
const part = '(?:in the |at |this )?(?:morning|afternoon|evening|night)';
const item = `(?:${date}|${clock}|${day})`;
/** Zones that no reader takes, so that an hour on their clocks is refused and not read on other clocks. */
const otherZones = 'zulu|a[ds]t|wes?t|eet|eest|gst|kst|hkt|sgt|a[ce][ds]t|awst|nz[ds]t';
const zone = `(?:utc|gmt)?[+-]\\d{1,2}(?::?\\d\\d)?|[a-z]+/[a-z_]+(?:/[a-z_]+)?|(?:[a-z]+ ){1,2}time|${zoneWords.join('|')}|${otherZones}`;
const span = `(?:(?:\\d+[smhdw])+|half an hour|(?:\\d{1,4}(?:\\.5)?|an?|one|two|three|four|five|six|ten|few) ?${unit}(?: and a half| (?:and )?\\d{1,2} ?${unit})?)`;
const hour = `at (?:\\d{1,2}(?:[.:h]\\d\\d|h)?|\\d{4}|\\d{10,13}|${small})(?![^ ]| [ap]\\.?m\\b| uhr)`;
const more = `${hour}|(?:at |on |of |the |in the )?(?:${item}|${part}|o'clock|\\d{1,2}(?:h(?:\\d\\d)?|\\.\\d\\d)?|\\d{4}|${zone})`;
const lead = '(?:(?:at|on|for|to|by|before|after|around|about|from|early|late) )?';
const moment = `${lead}(?:in (?:about |a )?(?:${span}|\\d{1,3})|now ?\\+ ?${span}|${span} (?:from now|ago|later)|after (?:${span}|work|hours|business hours|lunch)|${item}|${hour}|(?:in the|during the|this|at) (?:morning|afternoon|evening|night)|(?:(?:on |over |the )*weekend|(?:the )?end of (?:the )?(?:day|week|month)|eod))`;
const plural = '(?:sun|mon|tues|wednes|thurs|fri|satur)days';
const often = `daily|nightly|weekly|hourly|monthly|yearly|regularly|repeatedly|periodically|weekdays|weekends|biweekly|(?:on |all (?:the )?|the )?${plural}|${weekday}(?:(?:[-,]| to | through )${weekday})+|(?:once|twice|[a-z]+ times) (?:an?|per|every|each) (?:${unit}|night)|all (?:the time|day|night)|(?:the )?(?:first|second|third|fourth|last|${nth}) (?:${weekday}|day|night|weekend) of (?:the|each|every|a) month`;
const ofEvery = `(?:${plural}|${weekday})(?:(?:[-,]| to | through )(?:${plural}|${weekday}))*|week(?:day|end)s?|nights?|mornings?|afternoons?|evenings?|quarter|year|${unit}|\\d+[smhdw]|${nth}|${clock}|other|second|single|first|last|the|of|on|at|and|${month}|${zone}`;
const every = `(?:(?:at )?(?:${clock}) |${hour} )?(?:${often}|each|every)`;
const window =
  /(?:(?:in|during|within|at) (?:(?:the|our|next) )*|(?:the )?next (?=[a-z]* ?window|maintenance))(?:maintenance(?: window)?(?: [a-z][\w-]*(?= *$))?|window [\w-]+|(?:[a-z][\w-]* )?window)/
    .source;

/** Matches at the begin of a text, up to the end of a word. */
const atBegin = (pattern: string) => new RegExp(`^(?:${pattern})(?= |$)`);

/** Finds a phrase, and behind it any number of others. */
function phraseOf(first: string, next?: string): (text: string) => string {
  const [begin, following] = [atBegin(first), next === undefined ? undefined : atBegin(next)];
  return (text) => {
    let end = begin.exec(text)?.[0].length ?? -1;
    for (let more = 0; end > 0 && more >= 0; end += more + 1)
      more = following?.exec(text.slice(end + 1))?.[0].length ?? -1;
    return text.slice(0, Math.max(0, end));
  };
}

const momentIn = phraseOf(moment, more);
const everyIn = phraseOf(every, ofEvery);
const spanIn = phraseOf(span);

/** The word and what follows it, if that is there. */
function behindWord(text: string, word: RegExp, phraseIn: (text: string) => string): string {
  const [first = ''] = word.exec(text) ?? [];
  const phrase = first === '' ? '' : phraseIn(text.slice(first.length));
  return phrase === '' ? '' : first + phrase;
}

const kinds: Readonly<Record<SaidTime['kind'], (text: string) => string>> = {
  now: phraseOf('(?:right|straight) (?:away|now)|at once|as soon as (?:possible|you can)'),
  window: phraseOf(window),
  later: phraseOf('later(?: today| tonight| on)?|some(?: other)? time|sometime|another time'),
  until: (text) => behindWord(text, /^(?:until|till|'?til) /, momentIn) || behindWord(text, /^(?:for|during) /, spanIn),
  every: (text) => {
    const phrase = everyIn(text);
    return /\b(?:each|every)$/.test(phrase) ? '' : phrase;
  },
  at: momentIn,
  span: spanIn,
};

/** More words than the longest time has. */
const mostWords = 14;
/** Longer than each time: a zone text is one word. */
const longestText = 200;

/** The time that begins at this word, in lower case. A text, unlike a line, may say `until` about something else. */
export function timeAt(words: readonly string[], at: number, isText = false): SaidTime | undefined {
  const text = words
    .slice(at, at + mostWords)
    .join(' ')
    .slice(0, longestText);
  for (const kind of Object.keys(kinds) as SaidTime['kind'][]) {
    const time = kinds[kind](text);
    if (time !== '') return behind(words, { kind, end: at + time.split(' ').length, time }, isText);
  }
  return isText ? undefined : openEnd(words, at);
}

function behind(
  words: readonly string[],
  { kind, end, time }: { readonly kind: SaidTime['kind']; readonly end: number; readonly time: string },
  isText: boolean,
): SaidTime {
  if (kind === 'at') return { kind, end, words: { at: time } };
  if (kind === 'until') {
    const last = time.replace(/^(?:for|during) /, 'in ').replace(/^(?:until|till|'?til) /, '');
    return { kind, end, words: { until: last } };
  }
  if (kind === 'window') {
    const name = time
      .split(' ')
      .findLast((word) => !/^(?:in|during|within|at|the|our|next|maintenance|window)$/.test(word));
    return { kind, end, words: { window: name ?? anyWindow } };
  }
  if (kind !== 'every') return { kind, end, words: {} };
  const next = isText || end >= words.length ? undefined : timeAt(words, end);
  const until = next?.kind === 'until' ? next : undefined;
  const days = time.replace(/(?:^|(?<= ))(?:every|each) /, '');
  return { kind, end: until?.end ?? end, words: { every: days, ...until?.words } };
}

/** The window where the channel has one, or the one called maintenance. */
const anyWindow = '*';

/** `until christmas`: an end at the end of the line that is no time. */
function openEnd(words: readonly string[], at: number): SaidTime | undefined {
  const rest = words.slice(at + 1);
  const isEnd = /^'?(?:un)?till?$/.test(words[at] ?? '') && rest.length > 0 && rest.length <= 4 && !rest.includes('\0');
  return isEnd ? { kind: 'until', end: words.length, words: { until: rest.join(' ') } } : undefined;
}

export function saysOnlyTimes(words: readonly string[], from: number): boolean {
  if (words.length - from > mostWords) return false;
  let at = from;
  for (let time = timeAt(words, at, true); time !== undefined; time = timeAt(words, at, true)) at = time.end;
  return at > from && at === words.length;
}

/** Words before a time that say something else than the hour to begin. */
const notAt = /^(?:by|before|after|from|to|for) /;
const surelyAhead = /^(?:in|next|this(?! morning)) |\b(?:tom+or+ow|tmrw|tonight) /;
const isPastBefore = /^(?:since|last|yesterday|morning|night)$/;
const isPastWord = /^(?:was|were|been|had|did|went|began|broke|died|hung|lost|got|ran|fell|froze|came|ago|\w{2,}ed)$/;
const isPlanned = /^(?:is|are|be) \w+ed$|(?:planned|scheduled|expected|announced|needed)$/;
/** Behind `at`, other words are an hour in a line only. */
const notInText = /^at (?:\d{4}|(?!noon|mid)[a-z]+)$/;
const vague = /^(?:this|next) (?:week|weekend|month|evening)$/;

/**
 * Finds the first time among the words of a text. With `mayBePast`, it skips the time of a past event, as in
 * `it crashed at 3am`, and a time that is part of a name, as in `the friday release`.
 */
export function timeAmong(typed: readonly string[], mayBePast: boolean) {
  const words = typed.map((word) => word.toLowerCase());
  const isPast = words.some(
    (word, at) => isPastWord.test(word) && !isPlanned.test(`${words[at - 1] ?? ''} ${word}`.trim()),
  );
  for (const [at, word] of words.entries()) {
    const { kind, end, words: time } = timeAt(words, at, true) ?? { kind: 'now', end: at, words: {} };
    const [before = '', next, phrase] = [words[at - 1], words[end], words.slice(at, end).join(' ')];
    const phraseOfTime = time.at ?? time.until ?? (/^(?:every|each)$/.test(word) ? time.every : undefined);
    const moment = phraseOfTime?.replace(notAt, '') ?? '';
    const isSpan = kind === 'span' && !mayBePast && at > 0;
    const isTime = partsOf(moment) !== undefined || (kind === 'until' && moment !== '') || vague.test(moment) || isSpan;
    // `sun` may be a name, and `monday 02:00-05:00` are hours of the week.
    const isName = /^[a-z]{3}$/.test(phrase) || notInText.test(phrase);
    if (!isTime || isName || /^\d[\d:apm]*[-–]/.test(next ?? '')) continue;
    const isNoun = /^(?:the|this|that|an?|our)$/.test(before) && next !== undefined;
    const isSaid = isPast || isNoun || isPastBefore.test(before);
    if (mayBePast && isSaid && !surelyAhead.test(`${phrase} `)) continue;
    return { at, end, isHour: kind === 'at' && partsOf(moment) !== undefined && !notAt.test(phrase) };
  }
  return undefined;
}
