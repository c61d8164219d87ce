import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf, onDutyAt, spansOf } from '../../../contract/rules/duty.ts';
import { byLoad, chooseFrom, hasRoom, type Candidate } from './choice.ts';
import { planSpread } from './spread.ts';

const person = (id: string, activeCount: number, capacity: number, more: Partial<Candidate> = {}): Candidate => ({
  id,
  state: 'ON_DUTY',
  inDuty: true,
  activeCount,
  capacity,
  lastAssignedAt: null,
  ...more,
});

describe('who serves a paid order (R6)', () => {
  it('takes the freest backup when the primary is full', () => {
    expect(chooseFrom({ primary: person('1', 40, 40), backups: [person('2', 30, 40), person('3', 12, 20)], sharers: [] })).toEqual({
      assistantId: '3',
      how: 'BACKUP',
    });
  });

  it.each([
    ['nobody is bound', { primary: null, backups: [], sharers: [person('9', 0, 40)] }, null, 'NONE'],
    ['the primary has room', { primary: person('1', 39, 40), backups: [person('2', 0, 40)], sharers: [] }, '1', 'PRIMARY'],
    [
      'the primary is outside his hours',
      { primary: person('1', 0, 40, { inDuty: false }), backups: [person('2', 5, 40)], sharers: [] },
      '2',
      'BACKUP',
    ],
    [
      'all bound are away',
      {
        primary: person('1', 0, 40, { state: 'LEAVE' }),
        backups: [person('2', 0, 40, { state: 'OFF_DUTY' })],
        sharers: [person('9', 3, 40), person('8', 2, 40)],
      },
      '8',
      'SHARED',
    ],
    ['everybody is full', { primary: person('1', 40, 40), backups: [person('2', 20, 20)], sharers: [] }, '1', 'OVERLOAD'],
    ['only a full backup is bound', { primary: null, backups: [person('2', 20, 20)], sharers: [] }, null, 'NONE'],
    [
      'loads are equal: longest without work',
      {
        primary: null,
        backups: [
          person('2', 1, 4, { lastAssignedAt: '2026-11-21T02:00:00.000Z' }),
          person('3', 2, 8, { lastAssignedAt: '2026-11-21T01:00:00.000Z' }),
        ],
        sharers: [],
      },
      '3',
      'BACKUP',
    ],
    ['all is equal: smaller id', { primary: null, backups: [person('10', 1, 4), person('9', 1, 4)], sharers: [] }, '9', 'BACKUP'],
  ] as const)('when %s', (_name, choosable, assistantId, how) => {
    expect(chooseFrom(choosable)).toEqual({ assistantId, how });
  });

  const anybody = fc.record({
    id: fc.integer({ min: 1, max: 999 }).map(String),
    state: fc.constantFrom('ON_DUTY', 'OFF_DUTY', 'LEAVE', 'DISABLED'),
    inDuty: fc.boolean(),
    activeCount: fc.nat({ max: 60 }),
    capacity: fc.integer({ min: 1, max: 60 }),
    lastAssignedAt: fc.option(fc.constantFrom('2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z')),
  });
  it('never gives an order to somebody without room while anybody bound or sharing has some', () => {
    fc.assert(
      fc.property(
        fc.option(anybody),
        fc.uniqueArray(anybody, { selector: ({ id }) => id, maxLength: 3 }),
        fc.array(anybody, { maxLength: 4 }),
        (primary, backups, sharers) => {
          const all = [...(primary ? [primary] : []), ...backups, ...sharers];
          const { assistantId, how } = chooseFrom({ primary, backups, sharers });
          if (how === 'NONE' || how === 'OVERLOAD') {
            expect(primary === null && backups.length === 0 ? [] : all.filter(hasRoom)).toEqual([]);
            return;
          }
          expect(all.some((one) => one.id === assistantId && hasRoom(one))).toBe(true);
          if (how === 'BACKUP')
            expect(
              backups.filter(hasRoom).every(
                (one) =>
                  byLoad(
                    backups.find(({ id }) => id === assistantId)!,
                    one,
                  ) <= 0,
              ),
            ).toBe(true);
        },
      ),
    );
  });
});

describe('spreading doctors', () => {
  const successor = (id: string, activeCount: number, capacity: number, doctors = 0) => ({ id, activeCount, capacity, doctors });
  it('gives C, B, C with 13 of 20 each', () => {
    const doctors = [5, 3, 2].map((open, index) => ({ doctorId: String(index + 1), doctorNo: `YS${index}`, open }));
    const plan = planSpread(doctors, [successor('B', 10, 20), successor('C', 6, 20)]);
    expect(plan.map(({ toAssistantId, after }) => [toAssistantId, after])).toEqual([
      ['C', 11],
      ['B', 13],
      ['C', 13],
    ]);
  });

  it('leaves doctors whom nobody has room for', () => {
    expect(
      planSpread(
        [
          { doctorId: '1', doctorNo: 'YS1', open: 4 },
          { doctorId: '2', doctorNo: 'YS2', open: 1 },
        ],
        [successor('B', 19, 20)],
      ).map(({ toAssistantId }) => toAssistantId),
    ).toEqual(['B', null]);
  });

  it('prefers fewer doctors, then the smaller id, at equal loads', () => {
    expect(
      planSpread(
        [
          { doctorId: '1', doctorNo: 'YS1', open: 0 },
          { doctorId: '2', doctorNo: 'YS2', open: 0 },
        ],
        [successor('10', 0, 20, 1), successor('9', 0, 20, 1)],
      ).map(({ toAssistantId }) => toAssistantId),
    ).toEqual(['9', '10']);
  });

  it('plans every doctor once, adds up, and starts from no full successor', () => {
    const doctors = fc.uniqueArray(fc.record({ doctorId: fc.integer({ min: 1, max: 9_999 }).map(String), open: fc.nat({ max: 20 }) }), {
      selector: ({ doctorId }) => doctorId,
      maxLength: 30,
    });
    const people = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 99 }).map(String),
        activeCount: fc.nat({ max: 50 }),
        capacity: fc.integer({ min: 1, max: 50 }),
        doctors: fc.nat({ max: 9 }),
      }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(doctors, people, (moved, successors) => {
        const plan = planSpread(
          moved.map((one) => ({ ...one, doctorNo: one.doctorId })),
          successors,
        );
        expect(plan.map(({ doctorId }) => doctorId).toSorted()).toEqual(moved.map(({ doctorId }) => doctorId).toSorted());
        const load = new Map(successors.map(({ id, activeCount }) => [id, activeCount]));
        for (const { doctorId, toAssistantId, before, after } of plan) {
          if (toAssistantId === null) {
            expect(successors.every(({ id, capacity }) => load.get(id)! >= capacity)).toBe(true);
            continue;
          }
          const { capacity } = successors.find(({ id }) => id === toAssistantId)!;
          expect(before).toBe(load.get(toAssistantId));
          expect(before).toBeLessThan(capacity);
          expect(after - before).toBe(moved.find((one) => one.doctorId === doctorId)!.open);
          load.set(toAssistantId, after);
        }
      }),
    );
  });
});

describe('duty week', () => {
  const monday = [{ weekday: 1, from: '08:30', to: '12:00' }];
  it.each([
    ['2026-11-23T00:29:59.000Z', false],
    ['2026-11-23T00:30:00.000Z', true],
    ['2026-11-23T03:59:59.000Z', true],
    ['2026-11-23T04:00:00.000Z', false],
    ['2026-11-24T01:00:00.000Z', false],
    // Sunday evening in UTC is Monday morning in Shanghai
    ['2026-11-22T23:59:00.000Z', false],
  ])('at %s', (at, expected) => expect(onDutyAt(monday, at)).toBe(expected));

  it('survives painting: spans of cells of spans are themselves', () => {
    const cells = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 19 })).map(([day, cell]) => `${day}/${cell}`),
    );
    fc.assert(
      fc.property(cells, (painted) => {
        expect(cellsOf(spansOf(new Set(painted)))).toEqual(new Set(painted));
      }),
    );
  });
});
