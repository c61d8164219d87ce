import { describe, expect, it } from 'vitest';
import type { Fact } from '#kernel/contract/rules/rule.ts';
import { decideEntry, evaluateStop, evaluateUnit, type UnitState } from './evaluateUnit.ts';
import { canonicalJson } from '#kernel/contract/canonicalJson.ts';
import type { FrozenRow } from './snapshot.ts';

const rowOf = (operatorValue: FrozenRow['operatorValue'], conditionValue: string, change: Partial<FrozenRow> = {}): FrozenRow => ({
  groupNo: 1,
  role: 1,
  variableId: '15',
  variableCode: 'patient.hba1c',
  variableName: '糖化血红蛋白',
  operatorValue,
  conditionValue,
  checked: 1,
  ...change,
});
const known = (value: string) => new Map<string, Fact>([['patient.hba1c', { value, at: null, source: '' }]]);
const holds = (launch: FrozenRow[], mainLaunch: FrozenRow[] | null = null, value = '8') =>
  evaluateUnit({ launch, mainLaunch }, known(value)).holds;

describe('launch conditions', () => {
  it.each([
    ['7', true],
    ['9', true],
    ['6.999', false],
    ['9.001', false],
  ])('range 7,9 against %s: %s', (value, expected) => expect(holds([rowOf('range', '7,9')], null, value)).toBe(expected));

  it('a row without effect never counts, nor does an empty set let anybody in', () => {
    expect([holds([rowOf('>', '7'), rowOf('>', '10', { checked: 0 })]), holds([rowOf('>', '7', { checked: 0 })]), holds([])]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('rows of a group are joined with and, groups with or', () => {
    const other = { variableCode: 'patient.psa', groupNo: 2 };
    expect([holds([rowOf('>', '7'), rowOf('>', '1', { ...other, groupNo: 1 })]), holds([rowOf('>', '7'), rowOf('>', '1', other)])]).toEqual(
      [false, true],
    );
  });

  it('a child scene asks for its main scene too; one without effective rows lets everybody through', () => {
    expect([
      holds([rowOf('>', '7')], [rowOf('>', '9')]),
      holds([rowOf('>', '7')], [rowOf('>', '6')]),
      holds([rowOf('>', '7')], [rowOf('>', '9', { checked: 0 })]),
      holds([rowOf('>', '7')], []),
    ]).toEqual([false, true, true, true]);
  });

  it('what nobody knows does not hold and is told apart', () => {
    expect(evaluateUnit({ launch: [rowOf('<', '99')], mainLaunch: null }, new Map())).toMatchObject({
      holds: false,
      explain: [{ verdict: 'NO_DATA', value: null }],
    });
  });

  it('stop conditions without effective rows never end a run', () => {
    expect([evaluateStop({ stop: [] }, known('8')).holds, evaluateStop({ stop: [rowOf('>', '7')] }, known('8')).holds]).toEqual([
      false,
      true,
    ]);
  });
});

describe('entry', () => {
  const now = '2026-11-21T02:00:00.000Z';
  const standing: UnitState = { consent: true, armed: true, live: false, lastEndedAt: null, sibling: false };
  const policy = { entryMode: 'AUTO', reentry: 'AFTER_DAYS', reentryDays: 10 } as const;
  it.each<[string, Partial<UnitState>, object, boolean, string]>([
    ['conditions hold', {}, {}, true, 'ENTER'],
    ['they do not', {}, {}, false, 'NOT'],
    ['in it already', { live: true }, {}, true, 'LIVE'],
    ['no consent', { consent: false }, {}, true, 'NO_CONSENT'],
    ['held since the last entry', { armed: false }, {}, true, 'NOT_ARMED'],
    ['never again', { lastEndedAt: '2026-01-01T00:00:00.000Z' }, { reentry: 'NEVER', reentryDays: null }, true, 'NEVER'],
    ['too early', { lastEndedAt: '2026-11-11T02:00:00.001Z' }, {}, true, 'TOO_EARLY'],
    ['early enough', { lastEndedAt: '2026-11-11T02:00:00.000Z' }, {}, true, 'ENTER'],
    ['in a sibling', { sibling: true }, {}, true, 'SIBLING'],
    ['by hand alone', {}, { entryMode: 'MANUAL' }, true, 'MANUAL_ONLY'],
  ])('%s', (_, change, ofPolicy, held, expected) => {
    const { result, reason } = decideEntry({ ...policy, ...ofPolicy }, held, { ...standing, ...change }, now);
    expect(reason ?? result).toBe(expected);
  });
});

it('equal contents have one text, whatever the order of their keys', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe(canonicalJson({ a: true, b: [1, { c: 'x', d: null }] }));
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }));
});
