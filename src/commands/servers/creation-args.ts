import { z } from 'zod';
import type { Arg, ValuesOf } from '../../core/command/args.ts';
import { choice, flag, integer, option, project, searched, text, withDefault, words } from '../../core/command/args.ts';
import { optionalOf, optionOf } from '../args.ts';
import { tagSchema } from '../orders/signed-tags.ts';
import { keysToInstall } from '../ssh-keys/keys.ts';
import { filled, withoutStar } from '../without-star.ts';
import { imageArgs } from './images.ts';

type Size = Pick<Parameters<typeof integer>[0], 'alsoCalled' | 'label' | 'unit'> & { readonly of: string };

/** A whole number between the first and the last of the usual ones, which the form offers. */
function sized(usual: readonly number[], { of, ...size }: Size): Arg<number | undefined> {
  const { unit } = size;
  const [min = 1, max = 1] = [usual[0], usual.at(-1)];
  const hint = `Without a plan: ${min} to ${max} ${unit === undefined ? '' : `${unit} of `}${of}.`;
  const options = usual.map((value) => ({ value: String(value), label: [value, unit].join(' ').trim() }));
  return option({ ...integer({ ...size, hint, min, max }), widget: 'choice', options });
}

export const creationArgs = {
  hardware: {
    ...optionalOf(choice)({
      of: ['plan', 'sizes'],
      labels: { plan: 'A ready-made plan', sizes: 'Own sizes' },
      hint: 'The next page asks for own sizes.',
      place: 'form',
    }),
    preset: 'plan',
  },
  plan: option(searched({ hint: 'A plan, by name or id. Leave it empty for own sizes.', source: 'plans' })),
  cpu: sized([1, 2, 3, 4, 6, 8, 10, 12, 14, 16], { of: 'cores', label: 'Cores' }),
  ram: sized([2, 4, 6, 8, 12, 16, 24, 32], { of: 'memory', label: 'Memory', alsoCalled: ['mem'], unit: 'GB' }),
  disk: sized([20, 30, 40, 60, 80, 100, 120, 160, 200, 240, 300], { of: 'disk', unit: 'GB' }),
  arch: option(choice({ of: ['x86_64', 'arm'], hint: 'Without a plan: the processor.', label: 'Processor' })),
  frequency: optionOf(text)({
    hint: 'Without a plan: the minimum GHz, such as 3.1.',
    // The provider accepts at most one decimal.
    schema: z.string().regex(/^\d{1,2}(\.\d)?$/, 'a number of GHz with at most one decimal, such as 3.1'),
  }),
  ...imageArgs(),
  name: optionOf(text)({
    hint: 'Display name, at most 25 characters.',
    example: 'web-4',
    schema: withoutStar(filled('name', 25)),
  }),
  location: searched({
    hint: 'Location: a country or its code.',
    example: 'de',
    alsoCalled: ['region', 'country', 'place'],
    source: 'locations',
    place: 'option',
  }),
  term: withDefault(
    choice({ of: ['1', '3', '6', '12'], hint: 'Billing term in months.', alsoCalled: ['months'], place: 'option' }),
    '1',
  ),
  more: {
    ...flag({ hint: 'Another disk, bandwidth, services, networks and placement.', label: 'More options' }),
    place: 'form',
  },
  disk_class: option(searched({ hint: 'Another class of disk than the plan has.', source: 'disks' })),
  bandwidth: option(
    integer({ hint: 'More bandwidth than the plan has, in the unit of the location.', min: 1, max: 1_000_000 }),
  ),
  services: optionOf(words)({
    hint: 'Extra services by id. For several of one, write 2x3: three of service 2.',
    example: '2',
    schema: z
      .string()
      .regex(/^\d{1,9}(x[1-9]\d{0,2})?$/i, 'ids such as 2, or 2x3 for three of it; see /host catalog services'),
    most: 20,
  }),
  tags: option(words({ hint: 'Tags, with spaces between.', example: 'web prod', schema: tagSchema, most: 20 })),
  project: option(project({ hint: 'The project it belongs to.' })),
  like: {
    ...option(text({ hint: 'A server whose order fills in the form.', example: 'web-1' })),
    isTypedOnly: true,
  },
  ssh_keys: keysToInstall('Without it, no key is installed.'),
  private_network: flag({ hint: 'Connect it to the private network of the account.' }),
  placement: optionOf(choice)({
    of: ['OPTIONAL', 'STRICT'],
    labels: { OPTIONAL: 'if possible', STRICT: 'or not at all' },
    hint: 'How strictly the placement group is kept.',
  }),
  placement_group: option(integer({ hint: 'The id of a placement group.', min: 1, max: 2_147_483_647 })),
} as const;

/** The choices that make the order, without those that only lead through the form. */
export type CreationChoice = Omit<ValuesOf<typeof creationArgs>, 'hardware' | 'like' | 'more'>;
