import { type Dict, isDict, lengthOf } from '../dict.ts';
import { createRuleSet, type RuleName, type RuleSet } from '../rules.ts';

export type Surface = 'message' | 'modal' | 'home';

/** The ways in which blocks arrive. Slack may accept different blocks on each. */
export type BlockWay = Surface | 'update' | 'ephemeral' | 'response_url';

export interface BlockProblem {
  at: string;
  what: string;
  /** The allowed values, in the terms of blocks.validate. */
  constraint?: Dict;
}

/** The workspace's settings for a validation: its active rules, and the blocks that a test makes Slack refuse. */
export interface ValidationContext {
  rules: RuleSet;
  faults: { refusesBlock(type: string, way: BlockWay): boolean };
}

const usualContext: ValidationContext = { rules: createRuleSet(), faults: { refusesBlock: () => false } };

/** The findings of a validation, for one message or view. */
export interface Report {
  surface: Surface;
  way: BlockWay;
  problems: BlockProblem[];
  blockIds: Set<string>;
  actionIds: Set<string>;
  tables: number;
  inputs: number;
  focused: number;
  plans: number;
  context: ValidationContext;
  isKnownImage(file: Dict): boolean;
}

/** Checks a value and reports its problems with their pointers. */
export type ValidationRule = (value: unknown, at: string, report: Report) => void;

export function createReport(
  surface: Surface,
  isKnownImage: (file: Dict) => boolean,
  context = usualContext,
  way: BlockWay = surface,
): Report {
  return {
    surface,
    way,
    problems: [],
    blockIds: new Set(),
    actionIds: new Set(),
    tables: 0,
    inputs: 0,
    focused: 0,
    plans: 0,
    context,
    isKnownImage,
  };
}

export function problem(report: Report, at: string, what: string, constraint?: Dict): void {
  report.problems.push({ at, what, ...(constraint === undefined ? {} : { constraint }) });
}

export const isRuleOn = (report: Report, name: RuleName): boolean => report.context.rules.isOn(name);

type Rules = Record<string, ValidationRule>;

/** An object with these properties and no others. */
export function shape(
  required: Rules,
  optional: Rules = {},
  more?: (value: Dict, at: string, report: Report) => void,
): ValidationRule {
  const rules = new Map([...Object.entries(required), ...Object.entries(optional)]);
  const needed = Object.keys(required);
  return (value, at, report) => {
    if (!isDict(value)) {
      problem(report, at, 'must provide an object');
      return;
    }
    for (const name of needed) {
      if (!(name in value)) problem(report, at, `missing required field: ${name}`);
    }
    for (const name of Object.keys(value)) {
      const rule = rules.get(name);
      if (rule === undefined) problem(report, at, `invalid additional property: ${name}`);
      else rule(value[name], `${at}/${name}`, report);
    }
    more?.(value, at, report);
  };
}

export const string =
  (max: number, min = 0): ValidationRule =>
  (value, at, report) => {
    if (typeof value !== 'string') problem(report, at, 'must be a string');
    else if (lengthOf(value) < min) problem(report, at, `must be more than ${min - 1} characters`);
    else if (lengthOf(value) > max) problem(report, at, `must be less than ${max + 1} characters`);
  };

export const boolean: ValidationRule = (value, at, report) => {
  if (typeof value !== 'boolean') problem(report, at, 'must be a boolean');
};

export const integer =
  (min: number, max: number): ValidationRule =>
  (value, at, report) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) problem(report, at, 'must be an integer');
    else if (value < min) problem(report, at, `must be at least ${min}`);
    else if (value > max) problem(report, at, `must be at most ${max}`);
  };

export const number: ValidationRule = (value, at, report) => {
  if (typeof value !== 'number') problem(report, at, 'must be a number');
};

export const oneOf =
  (...allowed: readonly unknown[]): ValidationRule =>
  (value, at, report) => {
    if (!allowed.includes(value)) problem(report, at, `must be a valid enum value: ${allowed.join(', ')}`);
  };

export const matching =
  (pattern: RegExp, what: string): ValidationRule =>
  (value, at, report) => {
    if (typeof value !== 'string' || !pattern.test(value)) problem(report, at, what);
  };

export const list =
  (item: ValidationRule, max: number, min = 0): ValidationRule =>
  (value, at, report) => {
    if (!Array.isArray(value)) {
      problem(report, at, 'must be an array');
      return;
    }
    if (value.length > max) problem(report, at, `no more than ${max} items allowed`);
    if (value.length < min) problem(report, at, `no fewer than ${min} items allowed`);
    for (const [index, entry] of value.entries()) item(entry, `${at}/${index}`, report);
  };

export function unsupported(report: Report, at: string, got: unknown, where: string, expected: string[]): void {
  problem(report, `${at}/type`, `unsupported type: ${String(got)}${where}`, { type: 'enum', expected, got });
}

/** A problem in Slack's format for response_metadata. */
export const sayProblem = ({ at, what }: BlockProblem): string => `${what} [json-pointer:${at}]`;

/** Chooses between a strict and a lenient rule by whether a disputed rule is on. */
export const whileOn =
  (name: RuleName, strict: ValidationRule, lenient: ValidationRule): ValidationRule =>
  (value, at, report) =>
    (isRuleOn(report, name) ? strict : lenient)(value, at, report);

/** Applies the rule for the value's type. */
export const byType =
  (kinds: Record<string, ValidationRule>, where: string): ValidationRule =>
  (value, at, report) => {
    if (!isDict(value)) {
      problem(report, at, 'must provide an object');
      return;
    }
    const rule = typeof value.type === 'string' && Object.hasOwn(kinds, value.type) ? kinds[value.type] : undefined;
    if (rule === undefined) unsupported(report, at, value.type, where, Object.keys(kinds));
    else rule(value, at, report);
  };

export const url =
  (max: number): ValidationRule =>
  (value, at, report) => {
    string(max, 1)(value, at, report);
    if (typeof value === 'string' && !/^[a-z][a-z0-9+.-]*:/i.test(value)) problem(report, at, 'invalid url');
  };
