import { asDict, asDicts, type Dict, textOf } from '../dict.ts';
import {
  boolean,
  byType,
  list,
  matching,
  number,
  oneOf,
  problem,
  type Report,
  shape,
  string,
  url,
  type ValidationRule,
  whileOn,
} from './rule.ts';

export const type = (name: string): ValidationRule => oneOf(name);

export const plainText = (max: number, min = 1): ValidationRule =>
  byType({ plain_text: shape({ type: type('plain_text'), text: string(max, min) }, { emoji: boolean }) }, ' here');

export const anyText = (max: number, min = 1): ValidationRule =>
  byType(
    {
      plain_text: shape({ type: type('plain_text'), text: string(max, min) }, { emoji: boolean }),
      mrkdwn: shape({ type: type('mrkdwn'), text: string(max, min) }, { verbatim: boolean }),
    },
    ' here',
  );

const confirmButtons = { title: plainText(100), confirm: plainText(30), deny: plainText(30) };
const confirmStyle = { style: oneOf('primary', 'danger') };

export const confirm = whileOn(
  'confirm-names-all-buttons',
  shape({ text: anyText(300), ...confirmButtons }, confirmStyle),
  shape({ text: anyText(300) }, { ...confirmButtons, ...confirmStyle }),
);

const optionValue = whileOn('option-value-75', string(75, 1), string(150, 1));

export const option = shape({ text: plainText(75), value: optionValue }, { description: plainText(75, 0) });

export const markdownOption = shape({ text: anyText(75), value: optionValue }, { description: anyText(75, 0) });

export const overflowOption = shape(
  { text: plainText(75) },
  { value: optionValue, description: plainText(75, 0), url: url(3000) },
);

export const optionGroup = shape({ label: plainText(75), options: list(option, 100, 1) });

const sameOption = (a: Dict, b: Dict): boolean => a.value === b.value && textOf(a.text) === textOf(b.text);

/** Refuses an initial option that is not one of the options. */
export function initialsAreOptions(value: Dict, at: string, report: Report): void {
  const offered = [
    ...asDicts(value.options),
    ...asDicts(value.option_groups).flatMap((group) => asDicts(group.options)),
  ];
  const initials = 'initial_option' in value ? [asDict(value.initial_option)] : asDicts(value.initial_options);
  for (const initial of initials) {
    if (!offered.some((candidate) => sameOption(candidate, initial))) {
      problem(report, at, 'initial option must match one of the options');
    }
  }
}

export const dispatchConfig = shape(
  {},
  { trigger_actions_on: list(oneOf('on_enter_pressed', 'on_character_entered'), 2, 1) },
);

export const conversationFilter = shape(
  {},
  {
    include: list(oneOf('im', 'mpim', 'private', 'public'), 4, 1),
    exclude_external_shared_channels: boolean,
    exclude_bot_users: boolean,
  },
  (value, at, report) => {
    if (Object.keys(value).length === 0) problem(report, at, 'must provide at least one filter');
  },
);

const slackFile = shape({}, { id: string(255, 1), url: string(3000, 1) }, (value, at, report) => {
  if ('id' in value === 'url' in value) problem(report, at, 'must define either `id` or `url`');
  else if (!report.isKnownImage(value)) problem(report, at, 'invalid slack file');
});

export const imageSource = { image_url: url(3000), slack_file: slackFile };

export function oneImageSource(value: Dict, at: string, report: Report): void {
  if ('image_url' in value === 'slack_file' in value)
    problem(report, at, 'must define either `image_url` or `slack_file`');
}

export const rawText = shape({ type: type('raw_text'), text: string(10_000, 1) });
export const rawNumber = shape({ type: type('raw_number'), value: number, text: string(10_000, 1) });

export const date = matching(/^\d{4}-\d{2}-\d{2}$/, 'must be a date as YYYY-MM-DD');
export const time = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:mm');
export const decimal = matching(/^-?\d+(\.\d+)?$/, 'must be a number in a string');
